import { z } from "zod";
import type { ChannelStats } from "../port";

/** The fields that are read. YouTube sends no others. */
export const CHANNEL_FIELDS =
  "kind,items(id,snippet(title,customUrl,country,thumbnails/medium/url),statistics(viewCount,subscriberCount,hiddenSubscriberCount,videoCount))";
export const SEARCH_FIELDS = "kind,items/snippet/channelId";

export const videoId = z.string().regex(/^[A-Za-z0-9_-]{11}$/);
const channelId = z.string().regex(/^UC[A-Za-z0-9_-]{22}$/);

/** A count, which YouTube sends as text. */
export const count = z.string().regex(/^\d+$/).transform(Number).pipe(z.int()).optional();

export const Thumbnails = z
  .object({ medium: z.object({ url: z.url({ protocol: /^https$/ }) }) })
  .nullable()
  .catch(null);

export const Channel = z
  .object({
    id: channelId,
    snippet: z.object({
      title: z.string(),
      // Old custom URLs without an @ are not handles.
      customUrl: z.string().startsWith("@").nullable().catch(null),
      country: z.string().length(2).nullable().catch(null),
      thumbnails: Thumbnails,
    }),
    statistics: z.object({
      hiddenSubscriberCount: z.boolean().default(false),
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
      subscribers: statistics.hiddenSubscriberCount ? null : (statistics.subscriberCount ?? null),
      views: statistics.viewCount ?? null,
      videos: statistics.videoCount ?? null,
    }),
  );

export const SearchResult = z.object({ snippet: z.object({ channelId }) });

/** A page of items, each of which is parsed alone. Without matches, `items` is missing. `kind` tells the API's answers from other JSON. */
export const createPageSchema = (kind: string) =>
  z.object({ kind: z.literal(kind), items: z.array(z.unknown()).default([]) });
export const ChannelPage = createPageSchema("youtube#channelListResponse");
export const SearchPage = createPageSchema("youtube#searchListResponse");

/**
 * Parses each item of a page alone.
 * @returns the items as documented, and of the others the id, null when even that cannot be read, and the first field that
 * is missing or of another type, such as `statistics.viewCount`
 */
export function parseItems<T>(items: readonly unknown[], schema: z.ZodType<T>) {
  const parsed: T[] = [];
  const odd: { id: string | null; field: string }[] = [];
  for (const item of items) {
    const { success, data, error } = schema.safeParse(item);
    if (success) parsed.push(data);
    else odd.push({ id: WithId.safeParse(item).data?.id ?? null, field: error.issues[0]?.path.join(".") ?? "" });
  }
  return { parsed, odd };
}

const WithId = z.object({ id: z.union([channelId, videoId]) });
