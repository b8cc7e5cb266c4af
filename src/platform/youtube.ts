import { addDays, utcDay } from "@/core/time";
import {
  CHANNELS_PER_CALL,
  type ChannelReading,
  type ChannelReference,
  PlatformError,
  type PlatformUse,
  type VideoPlatform,
} from "./port";
import { CHANNEL_FIELDS, ChannelList, readChannel, SEARCH_FIELDS, SearchList } from "./youtube/answers";
import { createClient, type YoutubeOptions } from "./youtube/client";

/** The most one page of an answer holds. */
const PAGE = "50";
/** Even at the five items that a page holds at least, 50 channels are not on more. */
const MOST_PAGES = 10;
/** Days back in which a video must have been published for its channel to be found. */
const RECENT_DAYS = 30;

/** Common topics, each wide enough that creators of any size make videos on it every week. */
const NICHES = [
  "gaming",
  "music",
  "technology",
  "programming",
  "artificial intelligence",
  "science",
  "education",
  "history",
  "personal finance",
  "business",
  "fitness",
  "health",
  "cooking",
  "travel",
  "beauty",
  "fashion",
  "comedy",
  "animation",
  "film making",
  "photography",
  "diy",
  "woodworking",
  "gardening",
  "cars",
  "sports",
  "football",
  "chess",
  "books",
  "pets",
  "parenting",
];

/** The YouTube Data API v3: https://developers.google.com/youtube/v3/docs. */
export function createYoutubePlatform(options: YoutubeOptions): VideoPlatform {
  const { clock, log } = options;
  const ask = createClient(options);

  /** All channels a filter gives; several pages only should the platform cut its answer short. */
  async function list(filter: Record<string, string>, most: number, use: PlatformUse) {
    const readings: ChannelReading[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await ask({
        path: "channels",
        bucket: "general",
        use,
        answer: ChannelList,
        params: {
          part: "snippet,statistics",
          fields: CHANNEL_FIELDS,
          maxResults: PAGE,
          ...filter,
          ...(pageToken && { pageToken }),
        },
      });
      if (!answer) return readings;
      readings.push(...readAll(answer.items));
      pageToken = answer.nextPageToken;
      if (!pageToken || readings.length >= most) return readings;
    }
    throw new PlatformError("unavailable", "YouTube's answer has more pages than channels were asked for");
  }

  /** One odd channel does not lose the others, but channels none of which can be read are not "absent". */
  function readAll(items: readonly unknown[]): ChannelReading[] {
    const readings = items.map(readChannel).filter((reading) => reading !== null);
    const odd = items.length - readings.length;
    if (odd === 0) return readings;
    log.warn({ odd }, "YouTube shows channels without a channel id");
    if (readings.length > 0) return readings;
    throw new PlatformError("unavailable", "YouTube shows channels in a form that is not known");
  }

  async function channels(ids: readonly string[], use: PlatformUse = "run"): Promise<ChannelReading[]> {
    if (ids.length > CHANNELS_PER_CALL) throw new RangeError(`At most ${CHANNELS_PER_CALL} ids a call`);
    const wanted = new Set(ids);
    if (wanted.size === 0) return [];
    const shown = await list({ id: [...wanted].join(",") }, wanted.size, use);
    // Each once, and none that nobody asked for.
    return shown.filter(({ channelId }) => wanted.delete(channelId));
  }

  return {
    name: "youtube",
    niches: NICHES,
    channels,
    async find(reference) {
      const [reading] =
        reference.kind === "id"
          ? await channels([reference.id])
          : await list(nameFilter(reference), 1, "run");
      return reading ?? null;
    },
    /**
     * Channels behind recent videos, not channels by name: those are found only where the niche is in their name, and
     * the biggest first. Of one order to choose, `viewCount` shows the biggest channels and `date` whoever uploaded
     * last; `relevance` goes by the video, so that a small channel with the right video stands beside a large one, and
     * a channel counts once however many videos it has. Counts come with `channels`, so videos.list would add nothing.
     */
    async search(niche) {
      const answer = await ask({
        path: "search",
        bucket: "search",
        use: "run",
        answer: SearchList,
        params: {
          part: "snippet",
          fields: SEARCH_FIELDS,
          type: "video",
          order: "relevance",
          publishedAfter: `${addDays(utcDay(clock.now()), -RECENT_DAYS)}T00:00:00Z`,
          maxResults: PAGE,
          q: niche,
        },
      });
      return [...new Set(answer?.items.flatMap(({ snippet }) => snippet?.channelId ?? []))];
    },
  };
}

function nameFilter(reference: Exclude<ChannelReference, { kind: "id" }>): Record<string, string> {
  return reference.kind === "handle" ? { forHandle: reference.handle } : { forUsername: reference.username };
}
