import { sum, transpose } from "d3-array";
import { ScoreParts } from "@/features/growth/schema";
import { binChances, classifyShape, getSizeGroup, listShares, toRangeShares } from "./chances.rules";
import type { Accuracy, Bins, DayFigures } from "./comparison.schema";
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

/** The groups and ranges of some days together. */
export function sumTallies(days: readonly Pick<DayFigures, "groups" | "ranges">[]) {
  const sumGroup = (pick: (groups: DayFigures["groups"]) => Bins) => {
    const bins = sumBins(days.map(({ groups }) => pick(groups)));
    const channels = sum(bins, (bin) => bin.channels);
    const share = (total: number) => (channels > 0 ? total / channels : null);
    return {
      channels,
      predicted: share(sum(bins, ({ chances }) => chances)),
      seen: share(sum(bins, ({ came }) => came)),
      bins: listShares(bins),
    };
  };
  const groups: Pick<Accuracy["calibration"], "by_size" | "by_history" | "by_shape"> = {
    by_size: mapNames(CHANCE_SIZES, (least) => sumGroup(({ by_size }) => by_size[least])),
    by_history: mapNames(CHANCE_DAYS, (length) => sumGroup(({ by_history }) => by_history[length])),
    by_shape: mapNames(SHAPES, (shape) => sumGroup(({ by_shape }) => by_shape[shape])),
  };
  const ranges = mapNames(HORIZONS, (horizon) =>
    toRangeShares(mapNames(["channels", "inside", "below"], (name) => sum(days, (day) => day.ranges[horizon][name]))),
  );
  return { groups, ranges };
}

/** The bins of some days together. */
export function sumBins(all: readonly Bins[]): Bins {
  return transpose<Bins[number]>(all).map((bins) =>
    mapNames(["channels", "chances", "came"], (name) => sum(bins, (bin) => bin[name])),
  );
}
