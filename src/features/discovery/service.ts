import { and, asc, desc, eq, gte, lte, sql } from "drizzle-orm";
import { channels, nicheChannels, niches } from "@/core/db/schema";
import { DAY } from "@/core/time";
import { asCreator, creatorColumns } from "@/features/creators/service";
import { upsertChannels } from "@/features/growth/service";
import { CHANNELS_PER_CALL, type ChannelReading, type PlatformContext, PlatformError } from "@/platform/port";
import type { DiscoverQuery, Discovery } from "./schema";

/** A niche is looked up on the platform again when its index entry is older than this. */
const MAX_INDEX_AGE = DAY;

/**
 * Creators of a niche, best score first, from the niche's index entry. The entry is made on the first question and
 * renewed at most daily; when the platform cannot answer, an old entry does, and `as_of` says how old it is.
 * @throws PlatformError when there is no entry and the platform cannot answer
 */
export async function discover(ctx: PlatformContext, query: DiscoverQuery): Promise<Discovery> {
  const asOf = await freshIndexEntry(ctx, query.niche);
  const rows = await ctx.db
    .select(creatorColumns)
    .from(nicheChannels)
    .innerJoin(channels, eq(channels.id, nicheChannels.channelId))
    .where(
      and(
        eq(nicheChannels.niche, query.niche),
        eq(channels.status, "active"),
        query.min_subscribers === undefined ? undefined : gte(channels.subscribers, query.min_subscribers),
        query.max_subscribers === undefined ? undefined : lte(channels.subscribers, query.max_subscribers),
      ),
    )
    .orderBy(desc(channels.score), sql`${channels.subscribers} desc nulls last`, asc(channels.id))
    .limit(query.limit);
  return { niche: query.niche, as_of: asOf.toISOString(), creators: rows.map(asCreator) };
}

async function freshIndexEntry(ctx: PlatformContext, niche: string): Promise<Date> {
  const entry = await findEntry(ctx, niche);
  if (entry?.isFresh) return entry.refreshedAt;
  try {
    return await refreshOnce(ctx, niche);
  } catch (error) {
    if (entry && error instanceof PlatformError) return entry.refreshedAt;
    throw error;
  }
}

async function findEntry({ db, clock }: PlatformContext, niche: string) {
  const [entry] = await db.select().from(niches).where(eq(niches.niche, niche));
  return entry && { ...entry, isFresh: clock.now().getTime() - entry.refreshedAt.getTime() < MAX_INDEX_AGE };
}

/** Look-ups under way, so that questions which come together share one. */
const underWay = new WeakMap<PlatformContext["platform"], Map<string, Promise<Date>>>();

function refreshOnce(ctx: PlatformContext, niche: string): Promise<Date> {
  const lookups = underWay.get(ctx.platform) ?? new Map<string, Promise<Date>>();
  underWay.set(ctx.platform, lookups);
  const lookup = lookups.get(niche) ?? lookUp(ctx, niche).finally(() => lookups.delete(niche));
  lookups.set(niche, lookup);
  return lookup;
}

async function lookUp(ctx: PlatformContext, niche: string): Promise<Date> {
  // Another look-up may have ended since the caller looked.
  const entry = await findEntry(ctx, niche);
  return entry?.isFresh ? entry.refreshedAt : refreshIndexEntry(ctx, niche);
}

async function refreshIndexEntry({ db, clock, platform }: PlatformContext, niche: string): Promise<Date> {
  const found = await readChannels(platform, [...new Set(await platform.search(niche))]);
  const refreshedAt = clock.now();
  await db.transaction(async (tx) => {
    await upsertChannels(tx, found, refreshedAt);
    await tx
      .insert(niches)
      .values({ niche, refreshedAt })
      .onConflictDoUpdate({ target: niches.niche, set: { refreshedAt } });
    await tx.delete(nicheChannels).where(eq(nicheChannels.niche, niche));
    if (found.length > 0)
      await tx.insert(nicheChannels).values(found.map(({ channelId }) => ({ niche, channelId })));
  });
  return refreshedAt;
}

async function readChannels(platform: PlatformContext["platform"], ids: string[]): Promise<ChannelReading[]> {
  const readings: ChannelReading[] = [];
  for (let from = 0; from < ids.length; from += CHANNELS_PER_CALL)
    readings.push(...(await platform.channels(ids.slice(from, from + CHANNELS_PER_CALL))));
  return readings;
}
