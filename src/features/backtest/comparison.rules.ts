import { mean, sum } from "d3-array";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { summarizeBins } from "./chances.rules";
import { type Accuracy, type DayFigures, GRADED } from "./comparison.schema";
import { averageFigures, mapNames } from "./rules";
import { HISTORY_GROUPS } from "./schema";
import { sumBins, sumTallies } from "./tallies.rules";

/** The figures of some days. */
export function computeAverages(days: readonly { channels: number; figures: DayFigures }[]) {
  return {
    days: days.length,
    channels: Math.round(mean(days, ({ channels }) => channels) ?? 0),
    rankings: mapNames(GRADED, (name) => averageFigures(days.map(({ figures }) => figures.rankings[name]))),
  };
}

/** What is summed over all days: levels, days of history and chances. */
export function computeOverall(
  days: readonly DayFigures[],
): Pick<Accuracy, "levels" | "lists" | "by_history" | "calibration" | "ranges"> {
  const { groups, ranges } = sumTallies(days);
  return {
    ranges,
    levels: mapNames(ALERT_LEVELS, (level) => {
      const all = days.map(({ levels }) => levels[level]);
      const channels = sum(all, (one) => one.channels);
      const growth = sum(all, (one) => one.channels * (one.mean7 ?? 0));
      return { channels, came: sum(all, (one) => one.came), mean7: channels > 0 ? growth / channels : null };
    }),
    lists: mapNames(GRADED, (ranking) =>
      mapNames(["picked", "came"], (name) => sum(days, ({ lists }) => lists[ranking][name])),
    ),
    by_history: mapNames(HISTORY_GROUPS, (group) =>
      mapNames(["fastest", "found"], (name) => sum(days, ({ by_history }) => by_history[group][name])),
    ),
    calibration: {
      ...mapNames(["chance_7d", "chance_28d"], (name) => {
        const squared = sum(days, ({ brier }) => brier[name]);
        return summarizeBins(sumBins(days.map((day) => day[name])), squared);
      }),
      ...groups,
    },
  };
}
