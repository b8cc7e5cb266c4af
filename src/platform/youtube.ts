import { addDays, toUtcDay } from "@/core/time";
import {
  CHANNELS_PER_CALL,
  type ChannelReference,
  type ChannelStats,
  type PlatformUse,
  type VideoPlatform,
} from "./port";
import { CHANNEL_FIELDS, ChannelList, SEARCH_FIELDS, SearchList } from "./youtube/answers";
import { createClient, type YoutubeOptions } from "./youtube/client";

/** The most items in one answer. */
const PAGE = "50";
/** A search finds channels with a video in this many days. */
const RECENT_DAYS = 30;

/** The YouTube Data API v3: https://developers.google.com/youtube/v3/docs. */
export function createYoutubePlatform(options: YoutubeOptions): VideoPlatform {
  const client = createClient(options);

  /** The channels that match a filter, by one call. Null when YouTube says that there is none. */
  async function list(filter: Record<string, string>, use: PlatformUse): Promise<ChannelStats[] | null> {
    const answer = await client.request({
      path: "channels",
      bucket: "general",
      use,
      answer: ChannelList,
      params: { part: "snippet,statistics", fields: CHANNEL_FIELDS, maxResults: PAGE, ...filter },
    });
    return answer?.items ?? null;
  }

  async function listChannels(ids: readonly string[], use: PlatformUse = "run"): Promise<ChannelStats[]> {
    if (ids.length > CHANNELS_PER_CALL) throw new RangeError(`At most ${CHANNELS_PER_CALL} ids a call`);
    const requestedIds = new Set(ids);
    if (requestedIds.size === 0) return [];
    const answered = await list({ id: [...requestedIds].join(",") }, use);
    // Missing channels are left out of a list. An error about one says nothing about the others.
    if (!answered && requestedIds.size > 1)
      throw client.toError("channels", {
        failure: "unavailable",
        detail: "YouTube refuses a list of channels because of one of them",
      });
    return (answered ?? []).filter(({ channelId }) => requestedIds.delete(channelId));
  }

  return {
    name: "youtube",
    searchesAreFree: false,
    listChannels,
    async find(reference) {
      const stats =
        reference.kind === "id"
          ? await listChannels([reference.id], "spare")
          : await list(buildNameFilter(reference), "spare");
      return stats?.[0] ?? null;
    },
    /**
     * Finds the channels of recent videos. A search for channels finds only those with the niche in their name, the
     * biggest first. Order `viewCount` shows the biggest channels and `date` the latest uploads; `relevance` ranks the
     * video, so a small channel with the right video ranks beside a large one.
     */
    async search(niche) {
      const answer = await client.request({
        path: "search",
        bucket: "search",
        use: "spare",
        // The channels found are then read.
        needs: "general",
        answer: SearchList,
        params: {
          part: "snippet",
          fields: SEARCH_FIELDS,
          type: "video",
          order: "relevance",
          publishedAfter: `${addDays(toUtcDay(options.clock.now()), -RECENT_DAYS)}T00:00:00Z`,
          maxResults: PAGE,
          q: niche,
        },
      });
      return [...new Set(answer?.items.map(({ snippet }) => snippet.channelId))];
    },
  };
}

function buildNameFilter(reference: Exclude<ChannelReference, { kind: "id" }>): Record<string, string> {
  return reference.kind === "handle" ? { forHandle: reference.handle } : { forUsername: reference.username };
}
