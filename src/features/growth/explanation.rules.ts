import { greatest, sum } from "d3-array";
import { toComparableScore } from "./calibration.rules";
import type { ScorePart, ScoreParts } from "./schema";
import { listContributions } from "./strength.rules";

/** The most points that a part gives, rounded up from real histories. */
const MAX_POINTS = { recent_pace: 75, last_28_days: 25, views: 30, reach: 30, persistence: 20, few_days: 11 } as const;

/**
 * Splits a score among its parts. What a channel that shows no growth gets with so few days comes first (`few_days`).
 * The rest is shared in proportion to what each part adds to the strength, in the order of the formula.
 * @param score as shown, a whole number
 * @returns parts with whole points that add up to the score
 */
export function explainScore(parts: ScoreParts, score: number): ScorePart[] {
  const contributions = listContributions(parts);
  const strength = sum(contributions, ({ value }) => value);
  const start = Math.floor(toComparableScore(0, parts.history_days));
  const fewDays = strength > 0 ? Math.min(score, start) : score;
  const exact = contributions.map(({ part, value }) => ({
    part,
    points: strength > 0 ? ((score - fewDays) * value) / strength : 0,
  }));
  const shared = roundTogether([...exact, { part: "few_days" as const, points: fewDays }], score);
  return shared
    .filter(({ part, points }) => part !== "few_days" || points > 0)
    .map(({ part, points }) => ({ part, points, max: Math.max(MAX_POINTS[part], points) }));
}

/** Rounds points to whole ones that keep their total: those with the largest fractions are rounded up. */
function roundTogether<Part extends { points: number }>(parts: readonly Part[], total: number): Part[] {
  const rounded = parts.map((part) => ({ ...part, points: Math.floor(part.points) }));
  const fractions = parts.map((part) => part.points % 1);
  for (let left = total - sum(rounded, ({ points }) => points); left > 0; left--) {
    const next = greatest(fractions.keys(), (index) => fractions[index] ?? 0) ?? 0;
    fractions[next] = -1;
    const part = rounded[next];
    if (part) part.points++;
  }
  return rounded;
}
