import { addDays, type Day, HOUR } from "@/core/time";

/** A stored reading as far as growth is concerned. */
export interface GrowthReading {
  day: Day;
  readAt: Date;
  subscribers: number | null;
}

/** A reading of an earlier day, as far as judging a rise is concerned. */
export interface PastReading extends GrowthReading {
  views: number | null;
}

/** A one-day growth counts only between readings at most this far apart. */
export const MAX_BASELINE_AGE = 36 * HOUR;

/**
 * Growth in percent with one decimal, rounded half up, in integer arithmetic; null where it is not defined: from
 * zero, from or to a hidden count.
 */
export function growthPercent(before: number | null, after: number | null): number | null {
  if (!before || after === null) return null;
  const tenths = roundedRatio(1000n * (BigInt(after) - BigInt(before)), BigInt(before));
  return Number(tenths) / 10;
}

/** The counts of a day and the day before, where both were shown; null otherwise. */
export function shownCounts(
  baseline: GrowthReading | undefined,
  current: GrowthReading,
): { before: number; after: number } | null {
  if (!baseline || baseline.subscribers === null || current.subscribers === null) return null;
  return { before: baseline.subscribers, after: current.subscribers };
}

/** The same, where they were read at most 36 hours apart: what is known of a channel whoever had it read. */
function comparableCounts(baseline: GrowthReading | undefined, current: GrowthReading) {
  const isOld = baseline && current.readAt.getTime() - baseline.readAt.getTime() > MAX_BASELINE_AGE;
  return isOld ? null : shownCounts(baseline, current);
}

/** Growth in percent since the day before, between comparable counts; null when unknown. */
export function oneDayGrowthPercent(
  baseline: GrowthReading | undefined,
  current: GrowthReading,
): number | null {
  const counts = comparableCounts(baseline, current);
  return counts && growthPercent(counts.before, counts.after);
}

/**
 * Whether the growth up to a channel's latest snapshot still holds: the snapshot is of today, or of yesterday while
 * today's run has not reached the channel. A run that finds a channel gone makes it unavailable.
 */
export function isCurrent(latest: Day, status: "active" | "unavailable", today: Day): boolean {
  return latest >= today || (status === "active" && latest === addDays(today, -1));
}

/** The growth that a reader may rely on, given that the platform cuts counts. All in percent, one decimal. */
export interface GrowthBounds {
  low: number;
  high: number;
}

/**
 * The lowest and highest true growth that two shown counts allow. The platform rounds counts from 1,000 up down to
 * three significant figures, so 123,000 may be anything from 123,000 to 123,999. The bounds themselves are rounded
 * outwards. Smaller counts are exact: between two of them there is one growth, rounded as it is everywhere. Both counts
 * are above zero.
 */
export function growthBounds(before: number, after: number): GrowthBounds {
  if (hiddenByRounding(before) === 0 && hiddenByRounding(after) === 0) {
    const percent = growthPercent(before, after) ?? 0;
    return { low: percent, high: percent };
  }
  const most = BigInt(before) + BigInt(hiddenByRounding(before));
  const low = floorRatio(1000n * (BigInt(after) - most), most);
  const high = -floorRatio(
    -1000n * (BigInt(after) + BigInt(hiddenByRounding(after)) - BigInt(before)),
    BigInt(before),
  );
  return { low: Number(low) / 10, high: Number(high) / 10 };
}

/** Over how many days growth is told. */
const WINDOWS = [1, 7, 28] as const;

/** Growth of the shown count over some days, in percent; null where it is not known. */
export interface GrowthWindow {
  days: number;
  subscribers_before: number | null;
  subscribers_after: number | null;
  percent: number | null;
  low: number | null;
  high: number | null;
}

/**
 * Growth over 1, 7 and 28 days up to the latest of a channel's readings, each with the bounds that rounding leaves
 * open. Only days that were read exactly so long before count; the day before only as one-day growth compares it.
 */
export function growthWindows(readings: readonly GrowthReading[]): GrowthWindow[] {
  const current = readings.reduce<GrowthReading | undefined>(
    (latest, reading) => (latest && latest.day > reading.day ? latest : reading),
    undefined,
  );
  return WINDOWS.map((days) => {
    const baseline = current && readings.find(({ day }) => day === addDays(current.day, -days));
    const isDay = days === 1 && current;
    const before = (isDay ? comparableCounts(baseline, current)?.before : baseline?.subscribers) ?? null;
    const after = current?.subscribers ?? null;
    const percent = growthPercent(before, after);
    const bounds = before && after !== null ? growthBounds(before, after) : null;
    return {
      days,
      subscribers_before: before,
      subscribers_after: after,
      percent,
      low: bounds?.low ?? null,
      high: bounds?.high ?? null,
    };
  });
}

/** How much more than a shown count the true one may be. */
export function hiddenByRounding(shown: number): number {
  return shown < 1000 ? 0 : 10 ** (String(shown).length - 3) - 1;
}

/** Least subscribers of each size band: channels are compared with channels of their own band. */
export const SIZE_BANDS = [0, 1000, 10_000, 100_000, 1_000_000] as const;

/** The size band of a channel, in words: `1,000 to 10,000`. */
export function sizeBand(subscribers: number): string {
  const index = SIZE_BANDS.findLastIndex((least) => subscribers >= least);
  const [least, most] = [SIZE_BANDS[index], SIZE_BANDS[index + 1]].map((bound) =>
    bound?.toLocaleString("en-US"),
  );
  if (!most) return `${least} and more`;
  return index === 0 ? `under ${most}` : `${least} to ${most}`;
}

/**
 * Where a channel stands among channels of its size, as a part of a sentence; null when that is not known.
 * @param percentile share in percent of the channels of its size band that it is ahead of
 */
export function standingText(percentile: number | null, subscribers: number | null): string | null {
  if (percentile === null || subscribers === null) return null;
  const peers = `channels with ${sizeBand(subscribers)} subscribers this week`;
  if (percentile < 50) return `ahead of ${Math.floor(percentile)} % of ${peers}`;
  return `top ${Math.max(1, Math.ceil(100 - percentile))} % of ${peers}`;
}

/** A point of a course: a count known to have been true at a time, in days. */
interface Fix {
  at: number;
  count: number;
}

/**
 * The likeliest true counts behind daily shown ones. Where a count is rounded, the instant at which the shown number
 * changes tells the true one: it has just reached the bound between the two. Between such instants growth is taken as
 * even; before the first and after the last it goes on at the same pace, but not beyond what the shown count allows.
 * So a stair of rounding is a slope here, and one that goes up and down again is no growth.
 * @param shown by day, null where unknown
 * @returns by day; null before the first known day, and as on the last known day after it
 */
export function likelyCounts(shown: readonly (number | null)[]): (number | null)[] {
  const known = shown.flatMap((count, at) => (count === null ? [] : [{ at, count }]));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return [...shown];
  const fixes = fixedCounts(known);
  const [start, end] = [fixes[0], fixes.at(-1)];
  if (!start || !end) return shown.map((_, day) => (day < first.at ? null : last.count));
  const span = shown.length - 1;
  const before = paceBeyond(start, fixes[1], first, span, last.count - first.count);
  const after = paceBeyond(end, fixes.at(-2), last, span, last.count - first.count);
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

/** What is known for certain: exact counts, and the bounds that were crossed between two rounded ones. */
function fixedCounts(known: readonly Fix[]): Fix[] {
  return known.flatMap((now, index) => {
    const before = known[index - 1];
    if (hiddenByRounding(now.count) === 0) return [now];
    if (!before || before.count === now.count) return [];
    const [low, high] = before.count < now.count ? [before, now] : [now, before];
    const left = { at: low.at, count: low.count + hiddenByRounding(low.count) + 1 };
    // Neighbouring stairs have one bound between them, others a first and a last.
    if (left.count >= high.count) return [{ at: (before.at + now.at) / 2, count: high.count }];
    return low === before ? [left, high] : [high, left];
  });
}

/**
 * Change a day beyond the outermost fix: as between it and its neighbour, or one step in the whole time where it has
 * none, but never so fast that the count shown at the edge would have changed.
 */
function paceBeyond(fix: Fix, neighbour: Fix | undefined, edge: Fix, span: number, change: number): number {
  const hidden = hiddenByRounding(edge.count);
  const days = Math.abs(edge.at - fix.at);
  if (hidden === 0 || days === 0) return 0;
  const pace = neighbour
    ? (neighbour.count - fix.count) / (neighbour.at - fix.at)
    : (Math.sign(change) * (hidden + 1)) / span;
  const rises = pace * (edge.at - fix.at) > 0;
  const room = rises ? edge.count + hidden + 1 - fix.count : fix.count - edge.count;
  return Math.sign(pace) * Math.min(Math.abs(pace), Math.max(room, 0) / (days + 0.5));
}

/** `numerator / denominator` rounded half up; the denominator is positive. */
function roundedRatio(numerator: bigint, denominator: bigint): bigint {
  return floorRatio(2n * numerator + denominator, 2n * denominator);
}

/** `numerator / denominator` rounded down, also below zero; the denominator is positive. */
function floorRatio(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && numerator % denominator !== 0n ? quotient - 1n : quotient;
}

/** Whether the counts of two consecutive days make an alert: growth strictly above 10%, never from zero. */
export function isHighGrowth(before: number, after: number): boolean {
  return before > 0 && BigInt(after) * 10n > BigInt(before) * 11n;
}
