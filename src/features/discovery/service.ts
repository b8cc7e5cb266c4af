import {
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  notExists,
  notInArray,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { CoreContext } from "@/core/context";
import { isMissingKey, isMissingReference } from "@/core/db/client";
import {
  apiKeys,
  channels,
  nicheChannels,
  nicheQuestions,
  niches,
  snapshots,
  trackedCreators,
} from "@/core/db/schema";
import { AppError, errorMessage } from "@/core/errors";
import { type Day, MINUTE, SECOND, secondsToMidnight, sleep, utcDay, within } from "@/core/time";
import { asCreator, creatorColumns } from "@/features/creators/rows.service";
import { trackedAmong } from "@/features/creators/service";
import { growthDaysOf, scorePartsOf } from "@/features/growth/details.service";
import { recordReadings } from "@/features/growth/service";
import type { Key } from "@/features/keys/schema";
import { CHANNELS_PER_CALL, type ChannelReading, type PlatformContext } from "@/platform/port";
import {
  claimNew,
  isBeingLookedUp,
  isExhausted,
  lookUp,
  type NewNiche,
  refundClaim,
} from "./lookups.service";
import { differInLetters, NEW_NICHES_PER_DAY, nearestSpelling, nicheIdentity } from "./niches.rules";
import { asksSince, indexedSpellings, isOld, wantRenewal } from "./niches.service";
import type { DiscoverQuery, Discovery, ExplainedDiscovery } from "./schema";

/** What answering questions needs. */
export interface DiscoveryContext extends PlatformContext {
  /** Has an entry of the index renewed in the background. */
  requestRenewal(niche: string): Promise<void>;
}

/** Who asks. */
type Asker = Pick<Key, "id" | "tier">;

/** How long a question waits for a look-up that another has begun, and how often it looks, in milliseconds. */
const PATIENCE = 20 * SECOND;
const GLANCE = SECOND / 10;
/** How long an answer waits for the renewal of its entry to be asked for, in milliseconds. */
const RENEWAL_PATIENCE = 2 * SECOND;

/**
 * Creators of a niche, best score first, from the niche's index entry. An entry older than a day answers at once and
 * is renewed in the background. A niche that nobody asked for before is looked up at once, as long as key and service
 * have a look-up left today; beyond that the nearest niche of the index answers, and `hint` says so.
 * @throws PlatformError when the platform cannot answer; AppError `unavailable` when no look-up is left and no niche near
 */
export async function discover(ctx: DiscoveryContext, key: Asker, query: DiscoverQuery): Promise<Discovery> {
  const niche = nicheIdentity(query.niche);
  const known = await fromIndex(ctx, key, niche, query);
  if (known && !known.deservesLookUp) return known.answer;
  // Whoever asks first settles for all others what is searched for.
  const suggested = ctx.platform.niches.find((usual) => nicheIdentity(usual) === niche);
  const spelling = suggested ?? query.niche;
  const refusal = await lookUpNew(ctx, key, { niche, spelling, isKnown: known !== null });
  if (refusal) return known?.answer ?? fromNearest(ctx, key, query, refusal);
  const found = await fromIndex(ctx, key, niche, query);
  if (found) return found.answer;
  const retryAfter = MINUTE / SECOND;
  throw new AppError("unavailable", "This niche could not be looked up; please try again later", {
    retryAfter,
  });
}

/** {@link discover} with the parts of each score, and which of the creators the key tracks. */
export async function discoverExplained(
  ctx: DiscoveryContext,
  key: Asker,
  query: DiscoverQuery,
): Promise<ExplainedDiscovery> {
  const answer = await discover(ctx, key, query);
  const ids = answer.creators.map(({ channel_id }) => channel_id);
  const [parts, days, tracked] = await Promise.all([
    scorePartsOf(ctx, ids),
    growthDaysOf(ctx, ids),
    trackedAmong(ctx, key.id, ids),
  ]);
  const creators = answer.creators.map((creator) => ({
    ...creator,
    growth_day: days.get(creator.channel_id) ?? null,
    score_parts: parts.get(creator.channel_id) ?? null,
    is_tracked: tracked.has(creator.channel_id),
  }));
  return { ...answer, creators };
}

/** Why a niche is not looked up, and in how many seconds it may be. */
interface Refusal {
  problem: string;
  retryAfter: number;
}

/** Has a niche looked up, by this question or by the one that came first. @returns why it was not; null when it was */
async function lookUpNew(ctx: DiscoveryContext, key: Asker, asked: NewNiche): Promise<Refusal | null> {
  const now = ctx.clock.now();
  const { niche, spelling } = asked;
  const claim = await claimNew(ctx, key, asked);
  if (claim === "key_spent" || claim === "service_spent") {
    const whose = claim === "key_spent" ? `this key's ${NEW_NICHES_PER_DAY[key.tier]}` : "the service's";
    const problem = `${whose} look-ups of new niches are used up for today`;
    return { problem, retryAfter: secondsToMidnight(now) };
  }
  if (claim === "taken") {
    await awaitLookup(ctx, niche);
    return null;
  }
  try {
    await lookUp(ctx, niche, spelling, () => refundClaim(ctx, key.id, utcDay(now)));
    return null;
  } catch (error) {
    if (!isExhausted(error)) throw error;
    const problem = "the video platform allows no more look-ups for now";
    return { problem, retryAfter: error.retryAfter ?? secondsToMidnight(now) };
  }
}

/** Waits until the look-up that somebody has begun, in whatever process, has ended one way or the other. */
async function awaitLookup(ctx: DiscoveryContext, niche: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited += GLANCE) {
    if (!(await isBeingLookedUp(ctx, niche))) return;
    await sleep(GLANCE);
  }
}

async function fromNearest(
  ctx: DiscoveryContext,
  key: Asker,
  query: DiscoverQuery,
  { problem, retryAfter }: Refusal,
): Promise<Discovery> {
  const nearest = nearestSpelling(query.niche, await indexedSpellings(ctx));
  const known = nearest && (await fromIndex(ctx, key, nicheIdentity(nearest), query));
  if (known)
    return { ...known.answer, hint: `Answered from the nearest known niche "${nearest}": ${problem}` };
  const message = `No known niche is near this one, and ${problem}`;
  throw new AppError("unavailable", message, { retryAfter, isRoutine: true });
}

interface Known {
  answer: Discovery;
  /** Nothing was found yet, and nobody has asked with these letters before. */
  deservesLookUp: boolean;
}

/** The answer of an entry, and the note that the key asked for it if it did, in one query. Null when there is no entry. */
async function fromIndex(
  ctx: DiscoveryContext,
  key: Asker,
  niche: string,
  query: DiscoverQuery,
): Promise<Known | null> {
  const { db, clock } = ctx;
  const now = clock.now();
  // Not a niche that answers for another: those words are none of its spellings.
  const isAsked = nicheIdentity(query.niche) === niche;
  const close = alias(niches, "close");
  const asked = db.$with("asked").as(
    db
      .insert(nicheQuestions)
      .select(
        db
          .select({
            niche: niches.niche,
            keyId: sql<string>`${key.id}`.as("key_id"),
            day: sql<Day>`${utcDay(now)}::date`.as("day"),
            spelling: sql<string>`${query.niche}`.as("spelling"),
          })
          .from(niches)
          .where(and(eq(niches.niche, niche), isNotNull(niches.refreshedAt), sql`${isAsked}`)),
      )
      .onConflictDoNothing()
      .returning({ niche: nicheQuestions.niche }),
  );
  const rows = await db
    .with(asked)
    .select({
      spelling: niches.spelling,
      refreshedAt: niches.refreshedAt,
      close: close.spelling,
      candidate: nicheChannels.channelId,
      // As it was before this statement.
      isUsual: sql<boolean>`exists (select from ${nicheQuestions}
        where ${nicheQuestions.niche} = ${niches.niche} and ${nicheQuestions.spelling} = ${query.niche})`,
      creator: creatorColumns,
    })
    .from(niches)
    .leftJoin(close, eq(close.niche, niches.closeTo))
    .leftJoin(nicheChannels, eq(nicheChannels.niche, niches.niche))
    .leftJoin(channels, and(eq(channels.id, nicheChannels.channelId), isWanted(query)))
    .where(and(eq(niches.niche, niche), isNotNull(niches.refreshedAt)))
    .orderBy(sql`${channels.score} desc nulls last`, asc(channels.id))
    .limit(query.limit)
    .catch((error) => {
      // Purged since the statement began: there is no entry to have asked for.
      if (!isMissingKey(error) && isMissingReference(error)) return [];
      throw error;
    });
  const entry = rows[0];
  if (!entry?.refreshedAt) return null;
  if (isOld(entry.refreshedAt, now)) await askForRenewal(ctx, niche);
  const answer = {
    niche: entry.spelling,
    as_of: entry.refreshedAt.toISOString(),
    creators: rows.flatMap(({ creator }) => (creator ? [asCreator(creator, utcDay(now))] : [])),
    ...(entry.close && {
      hint: `There is also the niche "${entry.close}", spelled almost alike`,
    }),
  };
  const isNew = !entry.isUsual && differInLetters(entry.spelling, query.niche);
  return { answer, deservesLookUp: entry.candidate === null && isNew };
}

function isWanted({ min_subscribers: min, max_subscribers: max }: DiscoverQuery) {
  return and(
    eq(channels.status, "active"),
    min === undefined ? undefined : gte(channels.subscribers, min),
    max === undefined ? undefined : lte(channels.subscribers, max),
  );
}

/** A renewal that cannot be asked for keeps nobody from an answer: the hourly look for old entries comes anyway. */
async function askForRenewal(ctx: DiscoveryContext, niche: string): Promise<void> {
  if (!(await wantRenewal(ctx, niche))) return;
  await within(ctx.requestRenewal(niche), RENEWAL_PATIENCE, "the job engine").catch((error) => {
    ctx.log.error({ niche, problem: errorMessage(error) }, "a renewal could not be asked for");
  });
}

/**
 * Reads up to 50 candidates of niches in demand that have no reading of today, the most wanted first, and stores what
 * was read as the day's snapshots. Channels that the daily run reads are left to it.
 * @returns how many were asked for; 0 when none is left, or the platform has no call to spare
 * @throws PlatformError
 */
export async function readCandidates(ctx: PlatformContext): Promise<number> {
  const { db, clock, platform, log } = ctx;
  const day = utcDay(clock.now());
  const asks = asksSince(db, day);
  const tracked = db
    .select({ channelId: trackedCreators.channelId })
    .from(trackedCreators)
    .innerJoin(apiKeys, and(eq(apiKeys.id, trackedCreators.keyId), isNull(apiKeys.revokedAt)));
  const due = await db
    .select({ id: channels.id })
    .from(nicheChannels)
    .innerJoin(asks, eq(asks.niche, nicheChannels.niche))
    .innerJoin(channels, eq(channels.id, nicheChannels.channelId))
    .where(
      and(
        eq(channels.status, "active"),
        notExists(
          db
            .select({ day: snapshots.day })
            .from(snapshots)
            .where(and(eq(snapshots.channelId, channels.id), eq(snapshots.day, day))),
        ),
        notInArray(channels.id, tracked),
      ),
    )
    .groupBy(channels.id)
    .orderBy(desc(max(asks.asks)), channels.id)
    .limit(CHANNELS_PER_CALL);
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const readings = await platform.channels(ids, "spare").catch((error) => {
    if (!isExhausted(error)) throw error;
    log.info({ left: ids.length, problem: error.detail }, "no calls to spare for candidates");
    return null;
  });
  // What was asked for before midnight is no reading of either day.
  if (readings && utcDay(clock.now()) === day) await storeReadings(ctx, day, ids, readings);
  return readings ? ids.length : 0;
}

async function storeReadings(
  { db, clock }: CoreContext,
  day: Day,
  ids: string[],
  readings: ChannelReading[],
): Promise<void> {
  const shown = new Set(readings.map(({ channelId }) => channelId));
  const absent = ids.filter((id) => !shown.has(id));
  await db.transaction(async (tx) => {
    await recordReadings({ db: tx, clock }, day, "track", readings);
    if (absent.length > 0)
      await tx.update(channels).set({ status: "unavailable" }).where(inArray(channels.id, absent));
  });
}
