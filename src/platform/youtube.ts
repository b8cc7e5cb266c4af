import { addDays, utcDay } from "@/core/time";
import {
  CHANNELS_PER_CALL,
  type ChannelReading,
  type ChannelReference,
  type PlatformUse,
  type VideoPlatform,
} from "./port";
import { CHANNEL_FIELDS, ChannelList, readChannel, SEARCH_FIELDS, SearchList } from "./youtube/answers";
import { createClient, type YoutubeClient, type YoutubeOptions } from "./youtube/client";

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
  const client = createClient(options);

  async function channels(ids: readonly string[], use: PlatformUse = "run"): Promise<ChannelReading[]> {
    if (ids.length > CHANNELS_PER_CALL) throw new RangeError(`At most ${CHANNELS_PER_CALL} ids a call`);
    const wanted = new Set(ids);
    if (wanted.size === 0) return [];
    const shown = await list(client, { id: [...wanted].join(",") }, wanted.size, use);
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
          ? await channels([reference.id], "spare")
          : await list(client, nameFilter(reference), 1, "spare");
      return reading ?? null;
    },
    /**
     * Channels behind recent videos, not channels by name: those are found only where the niche is in their name, and
     * the biggest first. Of one order to choose, `viewCount` shows the biggest channels and `date` whoever uploaded
     * last; `relevance` goes by the video, so that a small channel with the right video stands beside a large one, and
     * a channel counts once however many videos it has. Counts come with `channels`, so videos.list would add nothing.
     */
    async search(niche) {
      const answer = await client.ask({
        path: "search",
        bucket: "search",
        use: "spare",
        // The channels that it finds are read.
        needs: "general",
        answer: SearchList,
        params: {
          part: "snippet",
          fields: SEARCH_FIELDS,
          type: "video",
          order: "relevance",
          publishedAfter: `${addDays(utcDay(options.clock.now()), -RECENT_DAYS)}T00:00:00Z`,
          maxResults: PAGE,
          q: niche,
        },
      });
      return [...new Set(answer?.items.flatMap(({ snippet }) => snippet?.channelId ?? []))];
    },
  };
}

/**
 * The channels that a filter gives: by one call, unless YouTube cuts its answer into pages.
 * @param most how many there can be
 */
async function list(
  client: YoutubeClient,
  filter: Record<string, string>,
  most: number,
  use: PlatformUse,
): Promise<ChannelReading[]> {
  const unavailable = (detail: string) => client.fail("channels", { failure: "unavailable", detail });
  const params = { part: "snippet,statistics", fields: CHANNEL_FIELDS, maxResults: PAGE, ...filter };
  const call = { path: "channels", bucket: "general", use, answer: ChannelList } as const;
  const items: unknown[] = [];
  let next = {};
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await client.ask({ ...call, params: { ...params, ...next } });
    // Of many, those that do not exist are left out: an answer that speaks of one says nothing about the others.
    if (!answer && most > 1) throw unavailable("YouTube refuses many channels because of one");
    items.push(...(answer?.items ?? []));
    if (!answer?.nextPageToken || items.length >= most) return readAll(client, items);
    next = { pageToken: answer.nextPageToken };
  }
  throw unavailable("YouTube's answer has more pages than channels were asked for");
}

/** One odd channel must not lose the others, but where all are odd they are not absent. */
function readAll({ fail, log }: YoutubeClient, items: readonly unknown[]): ChannelReading[] {
  const readings = items.map(readChannel).filter((reading) => reading !== null);
  const odd = items.length - readings.length;
  if (odd > 0 && readings.length === 0)
    throw fail("channels", { failure: "unavailable", detail: "YouTube shows channels in an unknown form" });
  if (odd > 0) log.warn({ odd }, "YouTube shows channels without a channel id");
  return readings;
}

function nameFilter(reference: Exclude<ChannelReference, { kind: "id" }>): Record<string, string> {
  return reference.kind === "handle" ? { forHandle: reference.handle } : { forUsername: reference.username };
}
