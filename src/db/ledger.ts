import { and, eq, sql } from "drizzle-orm";
import { addDays, MINUTE, SECOND, startOfPacificDay, toDate, toPacificDay } from "@/core/time";
import type { CoreContext } from "./context";
import { platformUnits } from "./schema";
import { UNIT_BUCKETS } from "./values";

export type UnitBucket = (typeof UNIT_BUCKETS)[number];
export type UnitLimits = Readonly<Record<UnitBucket, number>>;
export type Ledger = ReturnType<typeof createLedger>;

/**
 * Counts the units of the platform's daily allowance, exactly and for all processes together. A `spare` call may use
 * only what the daily runs leave over: `reserve` says how many general units those due before an instant still need.
 */
export function createLedger(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  { limits, reserve }: { limits: UnitLimits; reserve: (until: Date) => Promise<number> },
) {
  const countAvailable = async (now: Date, bucket: UnitBucket, spare: boolean) =>
    limits[bucket] - (spare && bucket === "general" ? await reserve(endOfPacificDay(now)) : 0);
  const getSpent = async (now: Date, bucket: UnitBucket) => {
    const isToday = and(eq(platformUnits.day, toPacificDay(now)), eq(platformUnits.bucket, bucket));
    const [{ used = 0, exhaustedUntil = null } = {}] = await db.select().from(platformUnits).where(isToday);
    const exhausted = exhaustedUntil !== null && exhaustedUntil > now;
    const resets_at = (exhausted ? exhaustedUntil : endOfPacificDay(now)).toISOString();
    return { bucket, used, limit: limits[bucket], exhausted, resets_at };
  };
  const getRefusal = async (now: Date, bucket: UnitBucket) => {
    const { used, limit, exhausted, resets_at } = await getSpent(now, bucket);
    const reason = !exhausted && used < limit ? ("reserved" as const) : ("spent" as const);
    return { reason, retryAfter: getSecondsUntil(now, toDate(resets_at)) };
  };
  return {
    /** Takes one unit, before the call that costs it. Null when it was taken, else why not and seconds to wait. */
    async spend(bucket: UnitBucket, spare: boolean) {
      const now = clock.now();
      const limit = await countAvailable(now, bucket, spare);
      const taken = await db.execute(sql`
        insert into platform_units as spent (day, bucket, used)
        select ${toPacificDay(now)}::date, ${bucket}, 1 where ${limit}::int >= 1
        on conflict (day, bucket) do update set used = spent.used + 1
          where spent.used < ${limit}::int
            and coalesce(spent.exhausted_until <= ${now.toISOString()}::timestamptz, true)
        returning used`);
      return taken.length > 0 ? null : getRefusal(now, bucket);
    },
    /** What `spend` would return now. Takes no unit. */
    async findRefusal(bucket: UnitBucket, spare: boolean) {
      const now = clock.now();
      const { used, exhausted } = await getSpent(now, bucket);
      const isAvailable = !exhausted && used < (await countAvailable(now, bucket, spare));
      return isAvailable ? null : getRefusal(now, bucket);
    },
    /** Records that the platform says a bucket is used up. Returns the seconds until a unit may be available. */
    async markExhausted(bucket: UnitBucket): Promise<number> {
      const now = clock.now();
      const exhaustedUntil = getExhaustionEnd(now);
      await db
        .insert(platformUnits)
        .values({ day: toPacificDay(now), bucket, used: 0, exhaustedUntil })
        .onConflictDoUpdate({ target: [platformUnits.day, platformUnits.bucket], set: { exhaustedUntil } });
      return getSecondsUntil(now, exhaustedUntil);
    },
    listSpentUnits() {
      const now = clock.now();
      return Promise.all(UNIT_BUCKETS.map((bucket) => getSpent(now, bucket)));
    },
  };
}

/** The platform may count a call of the first 15 minutes to the day before. */
function getExhaustionEnd(at: Date): Date {
  const graceEnd = toDate(startOfPacificDay(toPacificDay(at)).getTime() + 15 * MINUTE);
  return at < graceEnd ? graceEnd : endOfPacificDay(at);
}

function endOfPacificDay(at: Date): Date {
  return startOfPacificDay(addDays(toPacificDay(at), 1));
}

function getSecondsUntil(from: Date, to: Date): number {
  return Math.ceil((to.getTime() - from.getTime()) / SECOND);
}
