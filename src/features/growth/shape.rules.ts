import { sum } from "d3-array";
import type { ScoreParts } from "./schema";

/** How growth is spread over the days of a window. */
type Shape = Pick<ScoreParts, "largest_day_share" | "growth_since_largest_day" | "slowest_week">;

/** Of days that grew almost as much as the largest, the first counts, so that steady growth is growth since it. */
const ALIKE = 0.8;

/** @param days log growth of each day, oldest first @param first index of the first known count */
export function measureShape(days: readonly number[], first: number): Shape {
  const rises = sum(days, (growth) => Math.max(0, growth));
  const most = Math.max(...days);
  const largest = most > 0 ? days.findIndex((growth) => growth >= ALIKE * most) : 0;
  const weeks = [1, 2, 3, 4].flatMap((week) => {
    const from = days.length - 7 * week;
    return from > first ? [sum(days.slice(from, from + 7))] : [];
  });
  return {
    largest_day_share: rises > 0 ? (days[largest] ?? 0) / rises : 0,
    growth_since_largest_day: sum(days.slice(largest + 1)),
    slowest_week: weeks.length > 0 ? Math.min(...weeks) : null,
  };
}
