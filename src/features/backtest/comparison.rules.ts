import { mean, sum, transpose } from "d3-array";
import { ScoreParts } from "@/features/growth/schema";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { binChances, classifyShape, getSizeGroup, listShares, summarizeBins, toRangeShares } from "./chances.rules";
import { type Bins, type DayFigures, GRADED } from "./comparison.schema";
import { mapNames } from "./rules";
import { CHANCE_DAYS, CHANCE_SIZES, HORIZONS, SHAPES } from "./schema";

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
