/** The score and the simple rankings it competes with. */
export const RANKINGS = ["score", "size", "g1", "g7", "g14", "g28", "pace", "views"] as const;
export type RankingName = (typeof RANKINGS)[number];

export const HORIZONS = [7, 28] as const;
export type Horizon = (typeof HORIZONS)[number];
export type ByHorizon<Value> = Record<Horizon, Value>;

export const HALVES = ["a", "b"] as const;
export type Half = (typeof HALVES)[number];

/** Smallest subscribers of each group of chances. */
export const CHANCE_SIZES = [100, 1000, 10_000, 100_000] as const;
/** Days of history of each group of chances. */
export const CHANCE_DAYS = [1, 3, 7, 14, 28] as const;
export const SHAPES = ["steady", "lone_jump", "recovering"] as const;
/** Days of history that channels are grouped by. */
export const HISTORY_GROUPS = [3, 7, 14, 28] as const;
export type HistoryGroup = (typeof HISTORY_GROUPS)[number];

/**
 * How well a ranking predicted growth: the share of the picked 1% and 5% that are among those that grew most, the mean
 * growth of both as a logarithm, and Spearman's rank correlation with actual growth.
 */
export const FIGURES = ["p1", "p5", "mean1", "mean5", "rho"] as const;
export type Figures = Record<(typeof FIGURES)[number], number>;
