import { addDays, MINUTE, SECOND, startOfPacificDay, toDate, toPacificDay } from "@/core/time";
import { getSpent, giveBack, markExhausted, take } from "@/db/allowance";
import type { CoreContext } from "@/db/context";
import { UNIT_BUCKETS } from "@/db/values";
import type { PlatformUse, UnitBucket, UnitLedger } from "@/platform/port";

/** Videos take one unit in this many; what is left over for pages is only the first half of it. */
const VIDEO_SHARES: Partial<Record<PlatformUse, number>> = { cause: 5, page: 10 };

export type UnitLimits = Readonly<Record<UnitBucket, number>>;
export type Ledger = ReturnType<typeof createLedger>;

/**
 * Counts the units of the platform's daily allowance, exactly and for all processes together. All but the daily
 * run may use only what the daily runs leave over: `reserve` says how many general units those due before an instant still need.
 */
export function createLedger(
  ctx: CoreContext,
  { limits, reserve }: { limits: UnitLimits; reserve: (until: Date) => Promise<number> },
) {
  const getUnits = (now: Date, bucket: UnitBucket) => ({ kind: `${bucket}_units`, day: toPacificDay(now) }) as const;
  const getAvailable = async (now: Date, bucket: UnitBucket, isSpare: boolean) =>
    limits[bucket] - (isSpare && bucket === "general" ? await reserve(endOfPacificDay(now)) : 0);
  const getUsage = async (now: Date, bucket: UnitBucket) => {
    const { used, exhaustedUntil } = await getSpent(ctx, getUnits(now, bucket));
    const exhausted = exhaustedUntil !== null && exhaustedUntil > now;
    const resets_at = (exhausted ? exhaustedUntil : endOfPacificDay(now)).toISOString();
    return { bucket, used, limit: limits[bucket], exhausted, resets_at };
  };
  const explainRefusal = async (now: Date, bucket: UnitBucket) => {
    const { used, limit, exhausted, resets_at } = await getUsage(now, bucket);
    const reason = !exhausted && used < limit ? ("reserved" as const) : ("spent" as const);
    return { reason, retryAfter: getSecondsUntil(now, toDate(resets_at)) };
  };
  return {
    async spend(bucket, use) {
      const now = ctx.clock.now();
      const share = VIDEO_SHARES[use];
      const videos = { kind: "video_units", day: toPacificDay(now) } as const;
      if (share && !(await take(ctx, videos, Math.floor(limits.general / share))))
        return { reason: "share", retryAfter: getSecondsUntil(now, endOfPacificDay(now)) };
      const limit = await getAvailable(now, bucket, use !== "run");
      if (await take(ctx, getUnits(now, bucket), limit)) return null;
      if (share) await giveBack(ctx, videos);
      return explainRefusal(now, bucket);
    },
    async findRefusal(bucket, use) {
      const now = ctx.clock.now();
      const { used, exhausted } = await getUsage(now, bucket);
      const isAvailable = !exhausted && used < (await getAvailable(now, bucket, use !== "run"));
      return isAvailable ? null : explainRefusal(now, bucket);
    },
    async markExhausted(bucket) {
      const now = ctx.clock.now();
      const until = getExhaustionEnd(now);
      await markExhausted(ctx, getUnits(now, bucket), until);
      return getSecondsUntil(now, until);
    },
    listSpentUnits() {
      const now = ctx.clock.now();
      return Promise.all(UNIT_BUCKETS.map((bucket) => getUsage(now, bucket)));
    },
  } satisfies UnitLedger & { listSpentUnits(): Promise<object[]> };
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
