import { greatest } from "d3-array";
import { formatCount } from "@/core/format";
import { addDays, type Day, HOUR } from "@/core/time";
import type { GrowthWindow } from "./schema";

export interface GrowthSnapshot {
  day: Day;
  readAt: Date;
  subscribers: number | null;
}

export interface PastSnapshot extends GrowthSnapshot {
  views: number | null;
  /** As published. */
  score?: number | null;
}

/** Days of a trend, today included. */
export const TREND_DAYS = 30;

/** One-day growth compares snapshots at most this far apart. */
export const MAX_BASELINE_AGE = 36 * HOUR;

/** Growth in percent from which an alert, then each stronger severity, applies. */
export const GROWTH_BOUNDS: readonly number[] = [10, 15, 25, 50];

/**
 * Growth in percent with one decimal, in integer arithmetic; null from zero, from or to a hidden count. Rounded half
 * up, but never up to a bound of {@link GROWTH_BOUNDS} that the counts do not reach: 14.97% is 14.9, 9.96% is 9.9.
 * Growth just above a bound shows the bound: 10.004% is 10.0, which makes an alert, as exactly 10% does not.
 */
export function computeGrowthPercent(before: number | null, after: number | null): number | null {
  if (!before || after === null) return null;
  const gained = 1000n * (BigInt(after) - BigInt(before));
  const tenths = floorRatio(2n * gained + BigInt(before), 2n * BigInt(before));
  const isBelowBound = gained < tenths * BigInt(before) && GROWTH_BOUNDS.includes(Number(tenths) / 10);
  return Number(isBelowBound ? tenths - 1n : tenths) / 10;
}

const oneDecimal = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A percentage with one decimal and comma groups: `12.5`, `-0.4`, `999,900.0`. */
export function formatPercent(percent: number): string {
  return oneDecimal.format(percent);
}

/** The counts of a day and the day before; null unless both are known. */
export function getShownCounts(baseline: GrowthSnapshot | undefined, current: GrowthSnapshot) {
  if (!baseline || baseline.subscribers === null || current.subscribers === null) return null;
  return { before: baseline.subscribers, after: current.subscribers };
}

function getComparableCounts(baseline: GrowthSnapshot | undefined, current: GrowthSnapshot) {
  const isOld = baseline && current.readAt.getTime() - baseline.readAt.getTime() > MAX_BASELINE_AGE;
  return isOld ? null : getShownCounts(baseline, current);
}

/** Growth in percent since the day before; null when unknown. */
export function computeOneDayGrowth(baseline: GrowthSnapshot | undefined, current: GrowthSnapshot): number | null {
  const counts = getComparableCounts(baseline, current);
  return counts && computeGrowthPercent(counts.before, counts.after);
}

/**
 * Whether the growth up to a channel's latest snapshot still holds: the snapshot is of today, or of yesterday while
 * today's run has not reached the channel. A run that finds a channel gone makes it unavailable.
 */
export function isCurrent(latest: Day, status: "active" | "unavailable", today: Day): boolean {
  return latest >= today || (status === "active" && latest === addDays(today, -1));
}

/**
 * The lowest and highest true growth behind two shown counts above zero. The platform cuts counts from 1,000 up to three
 * significant figures, so 123,000 can be 123,000 to 123,999. Bounds are rounded outwards. Counts below
 * 1,000 are exact and have one growth.
 */
export function computeGrowthBounds(before: number, after: number): { low: number; high: number } {
  if (computeRoundingError(before) === 0 && computeRoundingError(after) === 0) {
    const percent = computeGrowthPercent(before, after) ?? 0;
    return { low: percent, high: percent };
  }
  const [min, max] = [BigInt(before), BigInt(before + computeRoundingError(before))];
  const gained = BigInt(after + computeRoundingError(after)) - min;
  const low = floorRatio(1000n * (BigInt(after) - max), max);
  return { low: Number(low) / 10, high: Number(-floorRatio(-1000n * gained, min)) / 10 };
}

const WINDOWS = [1, 7, 28] as const;

/**
 * Growth over 1, 7 and 28 days up to a channel's latest snapshot, with its bounds. The baseline is the
 * snapshot exactly that many days before; for one day it is at most 36 hours older.
 */
export function computeGrowthWindows(snapshots: readonly GrowthSnapshot[]): GrowthWindow[] {
  const current = greatest(snapshots, ({ day }) => day);
  return WINDOWS.map((days) => {
    const wanted = current && addDays(current.day, -days);
    const baseline = snapshots.find(({ day }) => day === wanted);
    const isDay = days === 1 && current;
    const before = (isDay ? getComparableCounts(baseline, current)?.before : baseline?.subscribers) ?? null;
    const after = current?.subscribers ?? null;
    const percent = computeGrowthPercent(before, after);
    const bounds = before && after !== null ? computeGrowthBounds(before, after) : null;
    return { days, subscribers_before: before, subscribers_after: after, percent, low: null, high: null, ...bounds };
  });
}

/** By how much the true count may exceed a shown one. */
export function computeRoundingError(shown: number): number {
  return shown < 1000 ? 0 : 10 ** (String(shown).length - 3) - 1;
}

/** Minimum subscribers of each size band. Channels are compared within their band. */
export const SIZE_BANDS = [0, 1000, 10_000, 100_000, 1_000_000] as const;

/** The index of a channel's size band. */
export function findSizeBand(subscribers: number): number {
  return SIZE_BANDS.findLastIndex((min) => subscribers >= min);
}

/** The size band of a channel as text, such as `1,000 to 10,000`. */
export function formatSizeBand(subscribers: number): string {
  const index = findSizeBand(subscribers);
  const [min, max] = [SIZE_BANDS[index], SIZE_BANDS[index + 1]].map((bound) => bound && formatCount(bound));
  if (!max) return `${min} and more`;
  return index === 0 ? `under ${max}` : `${min} to ${max}`;
}

interface Fix {
  at: number;
  count: number;
}

/**
 * Estimates the true counts behind daily shown ones. When a rounded count changes, the true count has just reached the
 * bound between the two. Between such points growth is linear; before the first and after the last it continues at the
 * same pace, within what the shown count allows. So the steps of rounding become a slope.
 * @param shown by day, null where unknown
 * @returns by day; null before the first known day, constant after the last
 */
export function estimateCounts(shown: readonly (number | null)[]): (number | null)[] {
  const known = shown.flatMap((count, at) => (count === null ? [] : [{ at, count }]));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return [...shown];
  const fixes = listFixes(known);
  const [start, end] = [fixes[0], fixes.at(-1)];
  if (!start || !end) return shown.map((_, day) => (day < first.at ? null : last.count));
  const span = shown.length - 1;
  const before = computePaceBeyond(start, fixes[1], first, span, last.count - first.count);
  const after = computePaceBeyond(end, fixes.at(-2), last, span, last.count - first.count);
  let next = 0;
  return shown.map((_, day) => {
    if (day < first.at) return null;
    const at = Math.min(day, last.at);
    if (at <= start.at) return start.count + before * (at - start.at);
    if (at >= end.at) return end.count + after * (at - end.at);
    while ((fixes[next]?.at ?? at) < at) next++;
    const [left, right] = [fixes[next - 1] ?? start, fixes[next] ?? end];
    return left.count + ((right.count - left.count) * (at - left.at)) / (right.at - left.at);
  });
}

function listFixes(known: readonly Fix[]): Fix[] {
  return known.flatMap((now, index) => {
    const before = known[index - 1];
    if (computeRoundingError(now.count) === 0) return [now];
    if (!before || before.count === now.count) return [];
    const [low, high] = before.count < now.count ? [before, now] : [now, before];
    const left = { at: low.at, count: low.count + computeRoundingError(low.count) + 1 };
    // Adjacent steps share one bound; a larger jump crosses a first and a last.
    if (left.count >= high.count) return [{ at: (before.at + now.at) / 2, count: high.count }];
    return low === before ? [left, high] : [high, left];
  });
}

// Limited so that the count shown at the edge does not change.
function computePaceBeyond(fix: Fix, neighbour: Fix | undefined, edge: Fix, span: number, change: number): number {
  const hidden = computeRoundingError(edge.count);
  const days = Math.abs(edge.at - fix.at);
  if (hidden === 0 || days === 0) return 0;
  const pace = neighbour
    ? (neighbour.count - fix.count) / (neighbour.at - fix.at)
    : (Math.sign(change) * (hidden + 1)) / span;
  const rises = pace * (edge.at - fix.at) > 0;
  const room = rises ? edge.count + hidden + 1 - fix.count : fix.count - edge.count;
  return Math.sign(pace) * Math.min(Math.abs(pace), Math.max(room, 0) / (days + 0.5));
}

function floorRatio(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && numerator % denominator !== 0n ? quotient - 1n : quotient;
}

/** Whether the counts of two consecutive days make an alert: growth above 10%, never from zero. */
export function isHighGrowth(before: number, after: number): boolean {
  return before > 0 && BigInt(after) * 10n > BigInt(before) * 11n;
}
