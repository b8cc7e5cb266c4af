import { and, eq, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { platformUnits, UNIT_BUCKETS } from "@/core/db/schema";
import { addDays, instant, MINUTE, pacificDay, SECOND, startOfPacificDay } from "@/core/time";

export type UnitBucket = (typeof UNIT_BUCKETS)[number];
export type UnitLimits = Readonly<Record<UnitBucket, number>>;

/** How much of a bucket's day is spent. */
export interface SpentUnits {
  bucket: UnitBucket;
  used: number;
  limit: number;
  /** Whether the platform itself said that nothing is left. */
  exhausted: boolean;
  /** ISO 8601: the next midnight in Los Angeles, or the end of the grace period after the last one. */
  resets_at: string;
}

/** Why a unit was refused: none is left today, or the rest is reserved for the daily run. */
export interface UnitRefusal {
  reason: "spent" | "reserved";
  /** Seconds until a unit may be available. */
  retryAfter: number;
}

/** Counts the units of the video platform's daily allowance, exactly and for all processes together. */
export interface Ledger {
  /**
   * Takes one unit, before the call that costs it.
   * @param spare whether the call may use only what the daily run leaves over
   * @returns null when the unit was taken
   */
  spend(bucket: UnitBucket, spare: boolean): Promise<UnitRefusal | null>;
  /** What `spend` would return now. Takes no unit. */
  refusal(bucket: UnitBucket, spare: boolean): Promise<UnitRefusal | null>;
  /** Records that the platform says a bucket is used up. @returns seconds until a unit may be available */
  markExhausted(bucket: UnitBucket): Promise<number>;
  /** What is spent today, for each bucket. */
  spentUnits(): Promise<SpentUnits[]>;
}

interface LedgerOptions {
  limits: UnitLimits;
  /** General units that the daily runs due before an instant still need. */
  reserve: (until: Date) => Promise<number>;
}

/** The platform may count a call of the first minutes to the day before. */
const GRACE = 15 * MINUTE;

/** The ledger in the database, with one row per bucket and day in Los Angeles. */
export function createLedger(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  { limits, reserve }: LedgerOptions,
): Ledger {
  const available = async (now: Date, bucket: UnitBucket, spare: boolean) =>
    limits[bucket] - (spare && bucket === "general" ? await reserve(endOfPacificDay(now)) : 0);
  const spentAt = async (now: Date, bucket: UnitBucket): Promise<SpentUnits> => {
    const isToday = and(eq(platformUnits.day, pacificDay(now)), eq(platformUnits.bucket, bucket));
    const [row] = await db.select().from(platformUnits).where(isToday);
    const exhaustedUntil = row?.exhaustedUntil && row.exhaustedUntil > now ? row.exhaustedUntil : null;
    const resets_at = (exhaustedUntil ?? endOfPacificDay(now)).toISOString();
    const exhausted = exhaustedUntil !== null;
    return { bucket, used: row?.used ?? 0, limit: limits[bucket], exhausted, resets_at };
  };
  const refusalAt = async (now: Date, bucket: UnitBucket): Promise<UnitRefusal> => {
    const { used, limit, exhausted, resets_at } = await spentAt(now, bucket);
    const reason = !exhausted && used < limit ? "reserved" : "spent";
    return { reason, retryAfter: secondsUntil(now, instant(resets_at)) };
  };
  return {
    async spend(bucket, spare) {
      const now = clock.now();
      const limit = await available(now, bucket, spare);
      const taken = await db.execute(sql`
        insert into platform_units as spent (day, bucket, used)
        select ${pacificDay(now)}::date, ${bucket}, 1 where ${limit}::int >= 1
        on conflict (day, bucket) do update set used = spent.used + 1
          where spent.used < ${limit}::int
            and coalesce(spent.exhausted_until <= ${now.toISOString()}::timestamptz, true)
        returning used`);
      return taken.length > 0 ? null : refusalAt(now, bucket);
    },
    async refusal(bucket, spare) {
      const now = clock.now();
      const { used, exhausted } = await spentAt(now, bucket);
      const isAvailable = !exhausted && used < (await available(now, bucket, spare));
      return isAvailable ? null : refusalAt(now, bucket);
    },
    async markExhausted(bucket) {
      const now = clock.now();
      const day = pacificDay(now);
      const graceEnd = instant(startOfPacificDay(day).getTime() + GRACE);
      const exhaustedUntil = now < graceEnd ? graceEnd : endOfPacificDay(now);
      await db
        .insert(platformUnits)
        .values({ day, bucket, used: 0, exhaustedUntil })
        .onConflictDoUpdate({ target: [platformUnits.day, platformUnits.bucket], set: { exhaustedUntil } });
      return secondsUntil(now, exhaustedUntil);
    },
    spentUnits() {
      const now = clock.now();
      return Promise.all(UNIT_BUCKETS.map((bucket) => spentAt(now, bucket)));
    },
  };
}

function endOfPacificDay(at: Date): Date {
  return startOfPacificDay(addDays(pacificDay(at), 1));
}

function secondsUntil(from: Date, to: Date): number {
  return Math.ceil((to.getTime() - from.getTime()) / SECOND);
}
