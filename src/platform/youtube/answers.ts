import { z } from "zod";
import type { ChannelStats } from "../port";

/** The fields that are read. YouTube sends no others. */
export const CHANNEL_FIELDS =
  "kind,items(id,snippet(title,customUrl,country,thumbnails/medium/url),statistics(viewCount,subscriberCount,hiddenSubscriberCount,videoCount))";
export const SEARCH_FIELDS = "kind,items/snippet/channelId";

const channelId = z.string().regex(/^UC[A-Za-z0-9_-]{22}$/);

/** A count, which YouTube sends as text. Null when it is missing. */
const count = z.string().regex(/^\d+$/).transform(Number).pipe(z.int()).nullable().catch(null);

const Channel = z
  .object({
    id: channelId,
    snippet: z.object({
      title: z.string(),
      // Old custom URLs without an @ are not handles.
      customUrl: z.string().startsWith("@").nullable().catch(null),
      country: z.string().length(2).nullable().catch(null),
      thumbnails: z
        .object({ medium: z.object({ url: z.url({ protocol: /^https$/ }) }) })
        .nullable()
        .catch(null),
    }),
    statistics: z.object({
      hiddenSubscriberCount: z.boolean(),
      subscriberCount: count,
      viewCount: count,
      videoCount: count,
    }),
  })
  .transform(
    ({ id, snippet, statistics }): ChannelStats => ({
      channelId: id,
      name: snippet.title.trim() || snippet.customUrl || id,
      handle: snippet.customUrl,
      thumbnailUrl: snippet.thumbnails?.medium.url ?? null,
      country: snippet.country,
      subscribers: statistics.hiddenSubscriberCount ? null : statistics.subscriberCount,
      views: statistics.viewCount,
      videos: statistics.videoCount,
    }),
  );

/** Without matches, `items` is missing. `kind` tells the API's answers from other JSON. */
export const ChannelList = z.object({
  kind: z.literal("youtube#channelListResponse"),
  items: z.array(Channel).default([]),
});

export const SearchList = z.object({
  kind: z.literal("youtube#searchListResponse"),
  items: z.array(z.object({ snippet: z.object({ channelId }) })).default([]),
});
