import fitted from "./fitted.json" with { type: "json" };

/** Points of a curve that is linear between them and constant outside. */
export interface Curve {
  at: readonly number[];
  values: readonly number[];
}

/** A chance as log odds: a curve of the score plus a shift for the days of history and one for the size. */
export interface ChanceModel {
  score: Curve;
  /** By days of history. */
  days: Curve;
  /** By the natural logarithm of the subscribers. */
  size: Curve;
}

/** What `npm run fit` makes of real histories. */
export interface Fitted {
  /** For each number of days of history, the comparable score at each raw score. */
  comparable: { days: readonly number[]; raw: readonly number[]; scores: readonly (readonly number[])[] };
  chances: { 7: ChanceModel; 28: ChanceModel };
}

/** Chances from 0 to 1, with three decimals. */
export interface Chances {
  /** That subscribers grow by 5% or more within 7 days. */
  chance_7d: number;
  /** That they grow by 20% or more within 28 days. */
  chance_28d: number;
}

/** The tables in use. */
export const FITTED: Fitted = fitted;

/** Growth whose chance is given, by days ahead. */
export const CHANCE_GROWTH = { 7: 0.05, 28: 0.2 } as const;

/**
 * The score with 28 days of history of channels that grow as much afterwards. A short history shows less growth than a
 * long one, so the same raw score means more. It never changes the order of channels with the same days of history.
 */
export function toComparableScore(raw: number, historyDays: number, table = FITTED.comparable): number {
  const [below, above, share] = findSegment(table.days, historyDays);
  const getScore = (index: number) => interpolate({ at: table.raw, values: table.scores[index] ?? [] }, raw);
  return getScore(below) + share * (getScore(above) - getScore(below));
}

/** @param score after {@link toComparableScore} @param subscribers null counts as a thousand */
export function computeChances(
  score: number,
  historyDays: number,
  subscribers: number | null,
  { chances } = FITTED,
): Chances {
  const size = Math.log(Math.max(1, subscribers ?? 1000));
  const computeChance = (model: ChanceModel) => {
    const odds = interpolate(model.score, score) + interpolate(model.days, historyDays) + interpolate(model.size, size);
    return Math.round(1000 / (1 + Math.exp(-odds))) / 1000;
  };
  return { chance_7d: computeChance(chances[7]), chance_28d: computeChance(chances[28]) };
}

export function interpolate({ at, values }: Curve, x: number): number {
  const [below, above, share] = findSegment(at, x);
  const [low, high] = [values[below] ?? 0, values[above] ?? 0];
  return low + share * (high - low);
}

/** The indices of the points around x, and how far x lies from the first to the second. */
export function findSegment(at: readonly number[], x: number): [below: number, above: number, share: number] {
  const above = at.findIndex((point) => point >= x);
  if (above === -1) return [at.length - 1, at.length - 1, 0];
  if (above === 0) return [0, 0, 0];
  const [low, high] = [at[above - 1] ?? 0, at[above] ?? 0];
  return [above - 1, above, (x - low) / (high - low)];
}
