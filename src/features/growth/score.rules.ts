import type { Day } from "@/core/time";
import { computeChances, computeRanges, MIN_CHANCE_SIZE, toComparableScore, toMeasures } from "./calibration.rules";
import { measureChannel, type ScoreSnapshot } from "./strength.rules";

/** Increases when the same snapshots give another score. */
export const SCORE_VERSION = 5;

/** Strongest first. */
export const ALERT_LEVELS = ["HIGH_GROWTH", "RISING", "WATCH", "STABLE"] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];
export const MIN_SCORE: Readonly<Record<AlertLevel, number>> = { HIGH_GROWTH: 75, RISING: 50, WATCH: 25, STABLE: 0 };

/** The text of each level. Severity has its own WATCH. */
export const LEVEL_WORDS = {
  HIGH_GROWTH: "High growth",
  RISING: "Rising",
  WATCH: "Warming",
  STABLE: "Stable",
} as const satisfies Record<AlertLevel, string>;

interface ChannelTotals {
  subscribers: number | null;
  views: number | null;
}

/** Maximum for a channel that grew neither in 7 nor in 28 days, or whose growth is not measured yet. */
const MAX_STABLE = 24.999;
/** Maximum for a channel with fewer than 100 subscribers: its few steps say little. */
const MAX_TINY = 74.999;
/** Fitted to the mean score of active channels with history. Below `minViews` it no longer rises. */
const PROFILE = { intercept: 37, lossPerLogView: 1.16, minViews: 10_000 };
/** Subscribers of a channel whose count is unknown. */
const TYPICAL_SIZE = 1000;
/** Lifetime views per subscriber of the median channel, where views are unknown. */
const TYPICAL_VIEWS = 60;

/**
 * Scores a channel by its snapshots of at most 28 days up to and including `day`: {@link measureChannel}, then
 * {@link toComparableScore}, so that a score means the same after 3 days as after 28. Most channels, and all that did
 * not grow, are STABLE. Without measured growth it is the mean score of channels with that many views, and STABLE.
 * @param totals of the channel on `day`
 * @returns the score as a whole number and exactly, for ranking; its basis, the measured growth or the totals; parts,
 * chances and ranges, null without measured growth; chances also below 100 subscribers
 */
export function scoreChannel(snapshots: readonly ScoreSnapshot[], day: Day, totals: ChannelTotals) {
  const measured = measureChannel(snapshots, day);
  if (!measured) return scoreProfile(totals);
  const { parts, raw, hasGrown } = measured;
  const subscribers = totals.subscribers ?? TYPICAL_SIZE;
  const exact = limitScore(toComparableScore(raw, parts.history_days), hasGrown, subscribers);
  const measures = toMeasures(parts, exact, subscribers);
  const [chances, ranges] = [computeChances(measures), computeRanges(measures)];
  return { value: Math.floor(exact), exact, basis: "history" as const, parts, chances, ranges };
}

/** Keeps the score of a channel that did not grow STABLE, and a tiny channel below HIGH_GROWTH. */
export function limitScore(score: number, hasGrown: boolean, subscribers: number): number {
  if (!hasGrown) return Math.min(MAX_STABLE, score);
  return subscribers < MIN_CHANCE_SIZE ? Math.min(MAX_TINY, score) : score;
}

/** Levels that last at least three days. */
const LASTING_LEVELS = ["HIGH_GROWTH", "RISING"] as const;

/**
 * The score that is published: it stays at 50 or 75 on the two days after it reached that, so that a level never comes
 * for one or two days only. A score that falls below 25 leaves its level at once.
 * @param score of the day @param before published scores of the three days before, newest first; null without one
 */
export function keepLevel(score: number, before: readonly (number | null)[]): number {
  if (score <= MAX_STABLE) return score;
  const [yesterday, ...earlier] = before.map((one) => one ?? 0);
  const kept = LASTING_LEVELS.find((level) => {
    const min = MIN_SCORE[level];
    return (yesterday ?? 0) >= min && earlier.some((one) => one < min);
  });
  return kept ? Math.max(score, MIN_SCORE[kept]) : score;
}

/** The level of a score. Without a score it is STABLE. */
export function classifyLevel(score: number | null): AlertLevel {
  return ALERT_LEVELS.find((level) => (score ?? 0) >= MIN_SCORE[level]) ?? "STABLE";
}

function scoreProfile({ subscribers, views }: ChannelTotals) {
  const seen = views || TYPICAL_VIEWS * (subscribers ?? 0);
  const mean = PROFILE.intercept - PROFILE.lossPerLogView * Math.log(Math.max(seen, PROFILE.minViews));
  const exact = seen > 0 ? Math.min(MAX_STABLE, Math.max(0, mean)) : 0;
  const none = { parts: null, chances: null, ranges: null };
  return { value: Math.floor(exact), exact, basis: "profile" as const, ...none };
}
