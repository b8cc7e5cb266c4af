import type { ALERT_LEVELS } from "@/features/growth/score.rules";
import { mean } from "@/features/growth/statistics.rules";
import type { Accuracy, Bins, DayFigures, GRADED } from "./comparison.schema";
import { FASTEST, type HistoryGroup, historyGroup, reliability } from "./groups.rules";
import { averageFigures } from "./rules";

/** How many of the fastest 5% were found, by days of history. @param best @param scored indices, best first */
export function foundByHistory(
  outcomes: readonly { history_days: number }[],
  best: Int32Array,
  scored: Int32Array,
): DayFigures["by_history"] {
  const count = Math.max(1, Math.round(FASTEST * outcomes.length));
  const top = new Set(scored.slice(0, count));
  return byHistory((group) => {
    const fastest = best
      .slice(0, count)
      .filter((index) => historyGroup(outcomes[index]?.history_days ?? 0) === group);
    return { fastest: fastest.length, found: fastest.filter((index) => top.has(index)).length };
  });
}

/** The figures of some days. */
export function averages(days: readonly { channels: number; figures: DayFigures }[]) {
  return {
    days: days.length,
    channels: Math.round(mean(days.map(({ channels }) => channels)) ?? 0),
    rankings: byGraded((name) => averageFigures(days.map(({ figures }) => figures.rankings[name]))),
  };
}

/** What is summed over all days: levels, days of history and chances. */
export function overall(
  days: readonly DayFigures[],
): Pick<Accuracy, "levels" | "by_history" | "calibration"> {
  const chance = (name: "chance_7d" | "chance_28d") =>
    reliability(
      sumBins(days.map((day) => day[name])),
      days.reduce((sum, { brier }) => sum + brier[name], 0),
    );
  return {
    levels: byLevel((level) => {
      const all = days.map(({ levels }) => levels[level]);
      const channels = all.reduce((total, one) => total + one.channels, 0);
      const growth = all.reduce((total, one) => total + one.channels * (one.mean7 ?? 0), 0);
      return { channels, mean7: channels > 0 ? growth / channels : null };
    }),
    by_history: byHistory((group) => {
      const all = days.map(({ by_history }) => by_history[group]);
      return {
        fastest: all.reduce((sum, { fastest }) => sum + fastest, 0),
        found: all.reduce((sum, { found }) => sum + found, 0),
      };
    }),
    calibration: { chance_7d: chance("chance_7d"), chance_28d: chance("chance_28d") },
  };
}

function sumBins(all: readonly Bins[]): Bins {
  const [first = []] = all;
  return first.map((_, bin) => {
    const sum = (name: "channels" | "chances" | "came") =>
      all.reduce((total, bins) => total + (bins[bin]?.[name] ?? 0), 0);
    return { channels: sum("channels"), chances: sum("chances"), came: sum("came") };
  });
}

function byHistory<T>(of: (group: HistoryGroup) => T) {
  return { 3: of(3), 7: of(7), 14: of(14), 28: of(28) };
}

/** A record with a value for each ranking. */
export function byGraded<T>(of: (name: (typeof GRADED)[number]) => T) {
  return { score: of("score"), size: of("size"), g7: of("g7"), g14: of("g14"), pace: of("pace") };
}

/** A record with a value for each level. */
export function byLevel<T>(of: (level: (typeof ALERT_LEVELS)[number]) => T) {
  return { HIGH_GROWTH: of("HIGH_GROWTH"), RISING: of("RISING"), WATCH: of("WATCH"), STABLE: of("STABLE") };
}
