import { group, mean, sum, transpose } from "d3-array";
import { CHANCE_GROWTH, type Range } from "@/features/growth/calibration.rules";
import { ScoreParts } from "@/features/growth/schema";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { type Bins, type DayFigures, GRADED, type Held } from "./comparison.schema";
import type { Member } from "./groups.rules";
import { mapNames } from "./rules";
import { CHANCE_DAYS, CHANCE_SIZES, HORIZONS, type Horizon, SHAPES } from "./schema";

const BINS = 10;
/** By how much a percentage with one decimal may be off. */
const ROUNDING = 0.05;
type Shape = (typeof SHAPES)[number];

/** Bounds of the shapes, as log growth. */
const SHAPE = { steadyWeek: Math.log(1.02), jumpShare: 0.6, jumpGrowth: Math.log(1.02), still: 0.003, week: 0.005 };

/**
 * The shape of a channel's growth. `steady`: 2% or more in each of the last four weeks. `lone_jump`: one day made most of
 * 2% or more, and almost nothing came since. `recovering`: it grew this week, and is below its start.
 */
export function classifyShape(parts: ScoreParts): Shape | null {
  const { slowest_week: slowest, growth_28d: month, largest_day_share: share } = parts;
  if (slowest !== null && parts.history_days === 28 && slowest >= SHAPE.steadyWeek) return "steady";
  const isJump = share >= SHAPE.jumpShare && 4 * month >= SHAPE.jumpGrowth;
  if (isJump && parts.growth_since_largest_day <= SHAPE.still) return "lone_jump";
  return parts.growth_7d >= SHAPE.week && month < 0 ? "recovering" : null;
}

/** How far chances can be trusted, all together and in groups. @param cut members with each length of history, by days */
export function evaluateCalibration(
  members: Record<Horizon, readonly Member[]>,
  cut: Record<(typeof CHANCE_DAYS)[number], readonly Member[]>,
) {
  const week = members[7];
  return {
    chance_7d: computeReliability(listPairs(week, 7)),
    chance_28d: computeReliability(listPairs(members[28], 28)),
    by_size: mapNames(CHANCE_SIZES, (min) => evaluateGroup(week.filter(({ size }) => getSizeGroup(size) === min))),
    by_history: mapNames(CHANCE_DAYS, (days) => evaluateGroup(cut[days])),
    by_shape: mapNames(SHAPES, (shape) => evaluateGroup(week.filter(({ parts }) => classifyShape(parts) === shape))),
  };
}

/** How often growth ended in the likely range, of all channels and by size. */
export function evaluateRange(members: readonly Member[], horizon: Horizon) {
  const graded = ({ target: growth, ranges }: Member) => ({ growth, range: ranges[`expected_${horizon}d`] });
  const evaluate = (some: readonly Member[]) => toRangeShares(tallyRanges(some.map(graded)));
  const by_size = mapNames(CHANCE_SIZES, (min) => evaluate(members.filter(({ size }) => getSizeGroup(size) === min)));
  return { ...evaluate(members), by_size };
}

/** Counts how often growth ended in the likely range, and below it. */
export function tallyRanges(graded: readonly { range: Range | null; growth: number }[]): Held {
  const known = graded.flatMap(({ range, growth }) => (range ? [{ range, growth }] : []));
  return {
    channels: known.length,
    inside: known.filter(({ range, growth }) => isInRange(growth, range)).length,
    below: known.filter(({ range, growth }) => 100 * Math.expm1(growth) < range.low - ROUNDING).length,
  };
}

/** Shares that ended in the likely range, 0.8 when it is right, and below it; null without channels. */
export function toRangeShares({ channels, inside, below }: Held) {
  const share = (count: number) => (channels > 0 ? count / channels : null);
  return { channels, coverage: share(inside), below: share(below) };
}

/** The largest of {@link CHANCE_SIZES} that a channel reaches. */
export function getSizeGroup(subscribers: number): (typeof CHANCE_SIZES)[number] {
  return CHANCE_SIZES.findLast((min) => subscribers >= min) ?? CHANCE_SIZES[0];
}

function listPairs(members: readonly Member[], horizon: Horizon) {
  return members.map(({ chances, target }) => ({
    chance: chances[`chance_${horizon}d`],
    came: hasReachedGrowth(target, horizon),
  }));
}

export type GroupRecord = ReturnType<typeof evaluateGroup>;

/** The mean chance of a group, the share that grew so much, and its 95% interval by channels. */
function evaluateGroup(members: readonly Member[]) {
  const channels = members.length;
  if (channels === 0) return { channels, predicted: null, seen: null, low: null, high: null };
  const hasCome = ({ target }: Member) => Number(hasReachedGrowth(target, 7));
  const seen = sum(members, hasCome) / channels;
  // Weeks of one channel are alike, so their errors add up before they are squared.
  const errors = group(members, ({ channel }) => channel).values();
  const squared = sum(errors, (own) => sum(own, (one) => hasCome(one) - seen) ** 2);
  const error = (1.96 * Math.sqrt(squared)) / channels;
  const predicted = sum(members, ({ chances }) => chances.chance_7d) / channels;
  return { channels, predicted, seen, low: Math.max(0, seen - error), high: Math.min(1, seen + error) };
}

/** Whether the predicted growth happened. @param growth log growth over the horizon */
export function hasReachedGrowth(growth: number, horizon: 7 | 28): boolean {
  return growth >= Math.log(1 + CHANCE_GROWTH[horizon]) - 1e-9;
}

/** Whether growth ended in a range, up to its rounding. @param growth log growth over the horizon */
export function isInRange(growth: number, { low, high }: Range): boolean {
  const percent = 100 * Math.expm1(growth);
  return percent >= low - ROUNDING && percent <= high + ROUNDING;
}

/** Chances and their outcomes in ten bins of equal width. */
export function binChances(pairs: readonly { chance: number; came: boolean }[]): Bins {
  const bins = Array.from({ length: BINS }, () => ({ channels: 0, chances: 0, came: 0 }));
  for (const { chance, came } of pairs) {
    const bin = bins[Math.min(BINS - 1, Math.floor(BINS * chance))];
    if (!bin) continue;
    bin.channels += 1;
    bin.chances += chance;
    bin.came += Number(came);
  }
  return bins;
}

/** The sum of the squared distances of chances and outcomes. */
export function sumSquaredErrors(pairs: readonly { chance: number; came: boolean }[]): number {
  return sum(pairs, ({ chance, came }) => (chance - Number(came)) ** 2);
}

/** The reliability of chances: the mean distance of chance and outcome over ten bins, and the Brier score. */
export function computeReliability(pairs: readonly { chance: number; came: boolean }[]) {
  return summarizeBins(binChances(pairs), sumSquaredErrors(pairs));
}

/** How far chances can be trusted. */
export type Reliability = ReturnType<typeof summarizeBins>;

/** {@link computeReliability} of pairs that are summed in bins. @param squared see {@link sumSquaredErrors} */
export function summarizeBins(bins: Bins, squared: number) {
  const channels = sum(bins, (bin) => bin.channels);
  const all = Math.max(1, channels);
  const share = sum(bins, ({ came }) => came) / all;
  return {
    /** Mean distance of chance and outcome over the bins, weighted by channels. */
    error: sum(bins, ({ chances, came }) => Math.abs(chances - came)) / all,
    /** Mean squared distance of chance and outcome, and the same had the share that came been given to all. */
    brier: squared / all,
    base_brier: share * (1 - share),
    bins: listShares(bins),
  };
}

/** The mean chance of each bin and the share that came; both null without channels. */
export function listShares(bins: Bins) {
  return bins.map(({ channels, chances, came }, bin) => ({
    from: bin / BINS,
    to: (bin + 1) / BINS,
    channels,
    predicted: channels > 0 ? chances / channels : null,
    seen: channels > 0 ? came / channels : null,
  }));
}

interface GradedChance {
  chance: number;
  came: boolean;
  size: number;
  history_days: number;
  /** As stored. */
  parts: unknown;
}

/** Counts a day's chances and their outcomes in groups. */
export function tallyGroups(graded: readonly GradedChance[]): DayFigures["groups"] {
  const count = (isIn: (one: GradedChance) => boolean) => binChances(graded.filter(isIn));
  const shapes = new Map(graded.map((one) => [one, readShape(one.parts)]));
  const getDays = (days: number) => CHANCE_DAYS.findLast((least) => days >= least);
  return {
    by_size: mapNames(CHANCE_SIZES, (least) => count(({ size }) => getSizeGroup(size) === least)),
    by_history: mapNames(CHANCE_DAYS, (days) => count((one) => getDays(one.history_days) === days)),
    by_shape: mapNames(SHAPES, (shape) => count((one) => shapes.get(one) === shape)),
  };
}

function readShape(stored: unknown) {
  const parts = ScoreParts.safeParse(stored);
  return parts.success ? classifyShape(parts.data) : null;
}

/** The figures of some days together. */
export function sumDays(days: readonly DayFigures[]) {
  const sumGroup = (pick: (groups: DayFigures["groups"]) => Bins) => {
    const bins = sumBins(days.map(({ groups }) => pick(groups)));
    const channels = sum(bins, (bin) => bin.channels);
    const share = (total: number) => (channels > 0 ? total / channels : null);
    const predicted = share(sum(bins, ({ chances }) => chances));
    return { channels, predicted, seen: share(sum(bins, ({ came }) => came)), bins: listShares(bins) };
  };
  const sumNames = <Name extends string>(names: readonly Name[], pick: (day: DayFigures) => Record<Name, number>) =>
    mapNames(names, (name) => sum(days, (day) => pick(day)[name]));
  return {
    rankings: mapNames(GRADED, (name) => ({ rho: mean(days, ({ rankings }) => rankings[name].rho) ?? 0 })),
    levels: mapNames(ALERT_LEVELS, (level) => sumNames(["channels", "came"], ({ levels }) => levels[level])),
    lists: mapNames(GRADED, (ranking) => sumNames(["picked", "came"], ({ lists }) => lists[ranking])),
    calibration: {
      ...mapNames(["chance_7d", "chance_28d"], (name) => {
        const squared = sum(days, ({ brier }) => brier[name]);
        return summarizeBins(sumBins(days.map((day) => day[name])), squared);
      }),
      by_size: mapNames(CHANCE_SIZES, (least) => sumGroup(({ by_size }) => by_size[least])),
      by_history: mapNames(CHANCE_DAYS, (length) => sumGroup(({ by_history }) => by_history[length])),
      by_shape: mapNames(SHAPES, (shape) => sumGroup(({ by_shape }) => by_shape[shape])),
    },
    ranges: mapNames(HORIZONS, (horizon) =>
      toRangeShares(sumNames(["channels", "inside", "below"], ({ ranges }) => ranges[horizon])),
    ),
  };
}

/** The bins of some days together. */
function sumBins(all: readonly Bins[]): Bins {
  return transpose<Bins[number]>(all).map((bins) =>
    mapNames(["channels", "chances", "came"], (name) => sum(bins, (bin) => bin[name])),
  );
}
