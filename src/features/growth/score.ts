import { addDays, type Day } from "@/core/time";
import type { GrowthReading } from "./rules";

/** Changes whenever the same readings would give another score. */
export const SCORE_VERSION = 1;

/** The words for a score, strongest first, each with the lowest score it needs. */
export const ALERT_LEVELS = ["HIGH_GROWTH", "RISING", "WATCH", "STABLE"] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** Whether a score rests on measured growth, or on what the channel's totals alone suggest. */
export type ScoreBasis = "history" | "profile";

export interface Score {
  /** Whole number from 0 to 100. */
  value: number;
  basis: ScoreBasis;
  version: number;
  /** What the score was made of: log growth per week over each window, null where unknown. */
  parts: Record<string, number | null>;
}

interface ChannelTotals {
  subscribers: number | null;
  views: number | null;
  videos: number | null;
}

/** The windows of measured growth in days and how much each counts. The newest tells most about what comes next. */
const WINDOWS = [
  { days: 1, weight: 0.2 },
  { days: 7, weight: 0.5 },
  { days: 28, weight: 0.3 },
] as const;

/** Score reached at a weekly growth (log, so 0.1 is about 10.5 %); straight lines between. */
const SCALE = [
  { growth: 0, score: 0 },
  { growth: 0.03, score: 25 },
  { growth: 0.08, score: 50 },
  { growth: 0.2, score: 75 },
  { growth: 0.7, score: 100 },
] as const;

/** Without measured growth a channel is never called more than worth watching. */
const PROFILE_CEILING = 49;

/**
 * Scores a channel by its stored readings up to and including `day`: the weighted mean of its weekly log growth over
 * 1, 7 and 28 days, mapped so that normal and declining channels stay below 25. With no growth measured yet it
 * falls back on how far its videos travel beyond its subscribers.
 * @param readings of one channel, in any order, later ones than `day` ignored
 */
export function scoreChannel(readings: readonly GrowthReading[], day: Day, totals: ChannelTotals): Score {
  const byDay = new Map(readings.map((reading) => [reading.day, reading.subscribers]));
  const parts = Object.fromEntries(
    WINDOWS.map(({ days }) => [
      `weekly_growth_${days}d`,
      weeklyGrowth(byDay.get(addDays(day, -days)), byDay.get(day), days),
    ]),
  );
  const known = WINDOWS.flatMap(({ days, weight }) => {
    const growth = parts[`weekly_growth_${days}d`];
    return typeof growth === "number" ? [{ growth, weight }] : [];
  });
  if (known.length === 0)
    return { value: profileScore(totals), basis: "profile", version: SCORE_VERSION, parts };
  const weight = known.reduce((sum, part) => sum + part.weight, 0);
  const growth = known.reduce((sum, part) => sum + part.growth * part.weight, 0) / weight;
  return { value: onScale(growth), basis: "history", version: SCORE_VERSION, parts };
}

/** The level a score stands for. */
export function alertLevel(score: number): AlertLevel {
  if (score >= 75) return "HIGH_GROWTH";
  if (score >= 50) return "RISING";
  return score >= 25 ? "WATCH" : "STABLE";
}

function weeklyGrowth(
  before: number | null | undefined,
  after: number | null | undefined,
  days: number,
): number | null {
  if (!before || !after) return null;
  return (Math.log(after / before) * 7) / days;
}

function profileScore({ subscribers, views, videos }: ChannelTotals): number {
  if (!subscribers || !views || !videos) return 0;
  const reach = views / videos / subscribers;
  return Math.min(PROFILE_CEILING, Math.max(0, Math.round(25 * Math.log2(Math.max(1, reach)))));
}

function onScale(growth: number): number {
  if (growth <= 0) return 0;
  for (let step = 1; step < SCALE.length; step++) {
    const [from, to] = [SCALE[step - 1], SCALE[step]];
    if (from && to && growth < to.growth)
      return Math.floor(
        from.score + ((growth - from.growth) / (to.growth - from.growth)) * (to.score - from.score),
      );
  }
  return 100;
}
