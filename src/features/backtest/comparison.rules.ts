import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { computeMean } from "@/features/growth/statistics.rules";
import { type Accuracy, type Bins, type DayFigures, GRADED } from "./comparison.schema";
import { FASTEST, getHistoryGroup, HISTORY_GROUPS, summarizeBins } from "./groups.rules";
import { averageFigures, mapNames } from "./rules";

/** How many of the fastest 5% were found, by days of history. @param best @param scored indices, best first */
export function countFoundByHistory(
  outcomes: readonly { history_days: number }[],
  best: Int32Array,
  scored: Int32Array,
): DayFigures["by_history"] {
  const count = Math.max(1, Math.round(FASTEST * outcomes.length));
  const top = new Set(scored.slice(0, count));
  return mapNames(HISTORY_GROUPS, (group) => {
    const fastest = best
      .slice(0, count)
      .filter((index) => getHistoryGroup(outcomes[index]?.history_days ?? 0) === group);
    return { fastest: fastest.length, found: fastest.filter((index) => top.has(index)).length };
  });
}

/** The figures of some days. */
export function computeAverages(days: readonly { channels: number; figures: DayFigures }[]) {
  return {
    days: days.length,
    channels: Math.round(computeMean(days.map(({ channels }) => channels)) ?? 0),
    rankings: mapNames(GRADED, (name) => averageFigures(days.map(({ figures }) => figures.rankings[name]))),
  };
}

/** What is summed over all days: levels, days of history and chances. */
export function computeOverall(days: readonly DayFigures[]): Pick<Accuracy, "levels" | "by_history" | "calibration"> {
  const computeChance = (name: "chance_7d" | "chance_28d") =>
    summarizeBins(
      sumBins(days.map((day) => day[name])),
      days.reduce((sum, { brier }) => sum + brier[name], 0),
    );
  return {
    levels: mapNames(ALERT_LEVELS, (level) => {
      const all = days.map(({ levels }) => levels[level]);
      const channels = all.reduce((total, one) => total + one.channels, 0);
      const growth = all.reduce((total, one) => total + one.channels * (one.mean7 ?? 0), 0);
      return { channels, mean7: channels > 0 ? growth / channels : null };
    }),
    by_history: mapNames(HISTORY_GROUPS, (group) => {
      const all = days.map(({ by_history }) => by_history[group]);
      return {
        fastest: all.reduce((sum, { fastest }) => sum + fastest, 0),
        found: all.reduce((sum, { found }) => sum + found, 0),
      };
    }),
    calibration: { chance_7d: computeChance("chance_7d"), chance_28d: computeChance("chance_28d") },
  };
}

function sumBins(all: readonly Bins[]): Bins {
  const [first = []] = all;
  return first.map((_, bin) => {
    const sumBin = (name: "channels" | "chances" | "came") =>
      all.reduce((total, bins) => total + (bins[bin]?.[name] ?? 0), 0);
    return { channels: sumBin("channels"), chances: sumBin("chances"), came: sumBin("came") };
  });
}
