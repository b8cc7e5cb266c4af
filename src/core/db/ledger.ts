import { eq, sql } from "drizzle-orm";
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
  /** The platform itself said that nothing is left, whatever we counted. */
  exhausted: boolean;
  /** ISO 8601: the next midnight in Los Angeles, or the end of a doubtful quarter of an hour after it. */
  resets_at: string;
}

/** Why a unit was not to be had: the day has none left, or what is left is kept for the daily run. */
export interface UnitRefusal {
  reason: "spent" | "reserved";
  /** Seconds until a unit may be had again. */
  retryAfter: number;
}

/**
 * Counts the units of the video platform's daily allowance. Exact under any concurrency and shared by all processes:
 * of a day's units at most the limit is given out.
 */
export interface Ledger {
  /**
   * Takes one unit, before the call that costs it.
   * @param spare whether the call can do without: it then gets none that the daily run needs
   * @returns null when it was taken
   */
  spend(bucket: UnitBucket, spare: boolean): Promise<UnitRefusal | null>;
  /** What a try to take one now would be told. Takes none. */
  refusal(bucket: UnitBucket, spare: boolean): Promise<UnitRefusal | null>;
  /** Notes that the platform itself says a bucket is used up. @returns seconds until a unit may be had again */
  markExhausted(bucket: UnitBucket): Promise<number>;
  /** What is spent of the present day. */
  spentUnits(): Promise<SpentUnits[]>;
}

interface LedgerOptions {
  limits: UnitLimits;
  /** General units that daily runs due before an instant still need. */
  reserve: (until: Date) => Promise<number>;
}

/** After midnight the platform may still count the old day for so long, by a clock that differs from ours. */
const GRACE = 15 * MINUTE;

/** The ledger in the database: one row per bucket and day of the platform. */
export function createLedger(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  { limits, reserve }: LedgerOptions,
): Ledger {
  const rowsAt = (at: Date) =>
    db
      .select()
      .from(platformUnits)
      .where(eq(platformUnits.day, pacificDay(at)));
  /** How many of a bucket's day may be taken. */
  const openAt = async (now: Date, bucket: UnitBucket, spare: boolean) =>
    limits[bucket] - (spare && bucket === "general" ? await reserve(endOfPacificDay(now)) : 0);
  const refusalAt = async (now: Date, bucket: UnitBucket): Promise<UnitRefusal> => {
    const { used, isExhausted, until } = stateOf(await rowsAt(now), bucket, now);
    const isReserved = !isExhausted && used < limits[bucket];
    return { reason: isReserved ? "reserved" : "spent", retryAfter: secondsUntil(now, until) };
  };
  return {
    async spend(bucket, spare) {
      const now = clock.now();
      const open = await openAt(now, bucket, spare);
      const taken = await db.execute(sql`
        insert into platform_units as spent (day, bucket, used)
        select ${pacificDay(now)}::date, ${bucket}, 1 where ${open}::int >= 1
        on conflict (day, bucket) do update set used = spent.used + 1
          where spent.used < ${open}::int
            and coalesce(spent.exhausted_until <= ${now.toISOString()}::timestamptz, true)
        returning used`);
      return taken.length > 0 ? null : refusalAt(now, bucket);
    },
    async refusal(bucket, spare) {
      const now = clock.now();
      const open = await openAt(now, bucket, spare);
      const { used, isExhausted } = stateOf(await rowsAt(now), bucket, now);
      return !isExhausted && used < open ? null : refusalAt(now, bucket);
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
    async spentUnits() {
      const now = clock.now();
      const rows = await rowsAt(now);
      return UNIT_BUCKETS.map((bucket) => {
        const { used, isExhausted, until } = stateOf(rows, bucket, now);
        const resetsAt = until.toISOString();
        return { bucket, used, limit: limits[bucket], exhausted: isExhausted, resets_at: resetsAt };
      });
    },
  };
}

type Row = typeof platformUnits.$inferSelect;

/** What a bucket's day stands at, and until when. */
function stateOf(rows: readonly Row[], bucket: UnitBucket, now: Date) {
  const row = rows.find((each) => each.bucket === bucket);
  const exhaustedUntil = row?.exhaustedUntil && row.exhaustedUntil > now ? row.exhaustedUntil : null;
  return {
    used: row?.used ?? 0,
    isExhausted: exhaustedUntil !== null,
    until: exhaustedUntil ?? endOfPacificDay(now),
  };
}

function endOfPacificDay(at: Date): Date {
  return startOfPacificDay(addDays(pacificDay(at), 1));
}

function secondsUntil(from: Date, to: Date): number {
  return Math.ceil((to.getTime() - from.getTime()) / SECOND);
}
