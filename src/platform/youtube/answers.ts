import { z } from "zod";
import { CHANNELS_PER_CALL, type ChannelReading } from "../port";

/** The members that are read, so that the platform sends no others. */
export const CHANNEL_FIELDS =
  "kind,nextPageToken,items(id,snippet(title,customUrl,country,thumbnails/medium/url),statistics(viewCount,subscriberCount,hiddenSubscriberCount,videoCount))";
export const SEARCH_FIELDS = "kind,items/snippet/channelId";

/** The longest of each that is taken: a name has 100 characters at most, a handle 30. */
const LONGEST = { name: 100, handle: 60, url: 500, pageToken: 500 };
/** What a count of videos is stored in. */
const MOST_VIDEOS = 2 ** 31 - 1;

/** A list no longer than a page of an answer, which is judged before what is in it. */
export const shortList = <Item extends z.ZodType>(item: Item) =>
  z.custom<unknown[]>((list) => Array.isArray(list) && list.length <= CHANNELS_PER_CALL).pipe(z.array(item));

const channelId = z.string().regex(/^UC[A-Za-z0-9_-]{22}$/);

/** A count, sent as text. One that is no exact number is unknown. */
const count = (most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .refine((value) => value <= most)
    .nullable()
    .catch(null);

const Channel = z.object({
  id: channelId,
  snippet: z
    .object({
      title: z.string().catch(""),
      customUrl: z
        .string()
        .regex(/^@\S+$/)
        .max(LONGEST.handle)
        .nullable()
        .catch(null),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .nullable()
        .catch(null),
      thumbnails: z
        .object({
          medium: z.object({
            // Its length first: the letters of a host are put into ASCII in a time that grows faster than it.
            url: z
              .string()
              .max(LONGEST.url)
              .pipe(z.url({ protocol: /^https$/, normalize: true }).max(LONGEST.url)),
          }),
        })
        .nullable()
        .catch(null),
    })
    .catch({ title: "", customUrl: null, country: null, thumbnails: null }),
  statistics: z
    .object({
      hiddenSubscriberCount: z.boolean().catch(false),
      subscriberCount: count(),
      viewCount: count(),
      videoCount: count(MOST_VIDEOS),
    })
    .catch({ hiddenSubscriberCount: false, subscriberCount: null, viewCount: null, videoCount: null }),
});

/** `items` is missing where there is none; `kind` tells an answer of the API from whatever else is JSON. */
export const ChannelList = z.object({
  kind: z.literal("youtube#channelListResponse"),
  nextPageToken: z.string().max(LONGEST.pageToken).optional(),
  items: shortList(z.unknown()).default([]),
});

export const SearchList = z.object({
  kind: z.literal("youtube#searchListResponse"),
  items: shortList(
    z.object({ snippet: z.object({ channelId }).nullable().catch(null) }).catch({ snippet: null }),
  ).default([]),
});

/** A channel as the API shows it; null when it has no channel id. Whatever else is odd about it is unknown. */
export function readChannel(item: unknown): ChannelReading | null {
  const parsed = Channel.safeParse(item);
  if (!parsed.success) return null;
  const { id, snippet, statistics } = parsed.data;
  const { hiddenSubscriberCount, subscriberCount, viewCount, videoCount } = statistics;
  return {
    channelId: id,
    name: shortened(snippet.title) || snippet.customUrl || id,
    handle: snippet.customUrl,
    thumbnailUrl: snippet.thumbnails?.medium.url ?? null,
    country: snippet.country,
    subscribers: hiddenSubscriberCount ? null : subscriberCount,
    views: viewCount,
    videos: videoCount,
  };
}

/** The beginning of a name, cut between characters. */
function shortened(name: string): string {
  return [...name.slice(0, 2 * LONGEST.name)].slice(0, LONGEST.name).join("").trim();
}
