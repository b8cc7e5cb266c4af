import { addDays, toUtcDay } from "@/core/time";
import {
  CHANNELS_PER_CALL,
  type ChannelList,
  type ChannelReference,
  createUnreadError,
  type PlatformUse,
  type VideoPlatform,
} from "./port";
import { CHANNEL_FIELDS, Channel, ChannelPage, SEARCH_FIELDS, SearchPage, SearchResult } from "./youtube/answers";
import { createClient, PAGE, type YoutubeOptions } from "./youtube/client";
import { listRecentVideos } from "./youtube/videos";

/** A search finds channels with a video in this many days. */
const RECENT_DAYS = 30;

/** The YouTube Data API v3: https://developers.google.com/youtube/v3/docs. */
export function createYoutubePlatform(options: YoutubeOptions): VideoPlatform {
  const client = createClient(options);

  /** The channels that match a filter, by one call. Null when YouTube says that there is none. */
  async function list(filter: Record<string, string>, use: PlatformUse) {
    const answer = await client.request({
      path: "channels",
      bucket: "general",
      use,
      answer: ChannelPage,
      params: { part: "snippet,statistics", fields: CHANNEL_FIELDS, maxResults: PAGE, ...filter },
    });
    return answer && client.readItems("channels", answer.items, Channel);
  }

  async function listChannels(ids: readonly string[], use: PlatformUse = "run"): Promise<ChannelList> {
    if (ids.length > CHANNELS_PER_CALL) throw new RangeError(`At most ${CHANNELS_PER_CALL} ids a call`);
    const requestedIds = new Set(ids);
    if (requestedIds.size === 0) return { channels: [], unread: [] };
    const answered = await list({ id: [...requestedIds].join(",") }, use);
    // Missing channels are left out of a list. An error about one says nothing about the others.
    if (!answered && requestedIds.size > 1)
      throw client.toError("channels", {
        failure: "unavailable",
        detail: "YouTube refuses a list of channels because of one of them",
      });
    const channels = (answered?.parsed ?? []).filter(({ channelId }) => requestedIds.delete(channelId));
    const odd = answered?.odd ?? [];
    // An item without an id can be any of the channels that are missing.
    const isAnyOdd = odd.some(({ id }) => id === null);
    const unread = [...requestedIds].filter((id) => isAnyOdd || odd.some((item) => item.id === id));
    return { channels, unread };
  }

  return {
    name: "youtube",
    searchesAreFree: false,
    listChannels,
    listRecentVideos: (channelId, use) => listRecentVideos(client, channelId, use),
    async find(reference) {
      const filter = reference.kind === "id" ? { id: reference.id } : buildNameFilter(reference);
      const found = await list(filter, "spare");
      if (found?.odd[0] && found.parsed.length === 0)
        throw createUnreadError(found.odd[0].id ?? Object.values(filter).join());
      return found?.parsed[0] ?? null;
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
        answer: SearchPage,
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
      const { parsed } = client.readItems("search", answer?.items ?? [], SearchResult);
      return [...new Set(parsed.map(({ snippet }) => snippet.channelId))];
    },
  };
}

function buildNameFilter(reference: Exclude<ChannelReference, { kind: "id" }>): Record<string, string> {
  return reference.kind === "handle" ? { forHandle: reference.handle } : { forUsername: reference.username };
}
