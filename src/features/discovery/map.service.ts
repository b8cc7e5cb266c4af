import { and, count, eq, inArray, sql } from "drizzle-orm";
import { DAY } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { channels, nicheChannels, niches } from "@/db/schema";
import type { PlatformContext } from "@/platform/port";
import { isRisingSql } from "./entries.service";
import { getMapSpelling, MAP_NICHES, NICHE_MAP, SEARCHES_PER_DAY, toNicheIdentity } from "./niches.rules";
import { countSearchesLeft, isOldSql } from "./niches.service";
import type { NicheMap } from "./schema";
import { trySearch } from "./search.service";

/** Milliseconds after which a niche of the map is searched again without a question. */
const MAP_AGE = 7 * DAY;

/** The indexed niches of the map, with the number of their creators. */
export async function getNicheMap({ db }: CoreContext): Promise<NicheMap> {
  const rows = await db
    .select({
      niche: nicheChannels.niche,
      creators: count(),
      rising: sql<number>`count(*) filter (where ${isRisingSql})`.mapWith(Number),
    })
    .from(nicheChannels)
    .innerJoin(channels, and(eq(channels.id, nicheChannels.channelId), eq(channels.status, "active")))
    .where(inArray(nicheChannels.niche, MAP_NICHES))
    .groupBy(nicheChannels.niche);
  const indexed = new Map(rows.map((row) => [row.niche, row]));
  const groups = NICHE_MAP.map(({ name, niches: spellings }) => ({
    name,
    niches: spellings.flatMap((spelling) => {
      const entry = indexed.get(toNicheIdentity(spelling));
      return entry ? [{ ...entry, niche: spelling }] : [];
    }),
  }));
  return { groups: groups.filter((group) => group.niches.length > 0) };
}

/** Searches the niches of the map that are due, as far as the day's searches go. For the start of a process. */
export async function fillMap(ctx: PlatformContext): Promise<void> {
  for (const niche of await listDueMapNiches(ctx)) if (!(await searchMapNiche(ctx, niche))) return;
}

/** Niches of the map without an entry, in the map's order, then those searched over a week ago, the oldest first. */
export async function listDueMapNiches(ctx: PlatformContext): Promise<string[]> {
  const { db, clock, platform } = ctx;
  const { niche, refreshedAt } = niches;
  const entries = await db.select({ niche, refreshedAt }).from(niches).where(inArray(niche, MAP_NICHES));
  const refreshed = new Map(entries.map((entry) => [entry.niche, entry.refreshedAt?.getTime() ?? 0]));
  const dueBefore = clock.now().getTime() - MAP_AGE;
  const getTime = (of: string) => refreshed.get(of) ?? 0;
  const due = MAP_NICHES.filter((one) => getTime(one) <= dueBefore).sort((one, other) => getTime(one) - getTime(other));
  return platform.searchesAreFree ? due : due.slice(0, await countSearchesLeft(ctx, "map"));
}

/** Searches a niche of the map, unless another process does. @returns false when the platform cannot answer */
export function searchMapNiche(ctx: PlatformContext, niche: string): Promise<boolean> {
  const spelling = getMapSpelling(niche) ?? niche;
  const limit = ctx.platform.searchesAreFree ? null : SEARCHES_PER_DAY.map;
  const isDue = isOldSql(ctx.clock.now(), MAP_AGE);
  return trySearch(ctx, { niche, spelling, purpose: "map", limit, isDue });
}
