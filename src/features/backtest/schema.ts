import type { AlertLevel } from "@/features/growth/score.rules";

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

/** chance_7d by size, by days of history, and by how the channel grew before. Each key is the least of its group. */
export interface ChanceGroups<Group> {
  by_size: Record<(typeof CHANCE_SIZES)[number], Group>;
  by_history: Record<(typeof CHANCE_DAYS)[number], Group>;
  by_shape: Record<(typeof SHAPES)[number], Group>;
}

/** How well a ranking predicted growth. */
export interface Figures {
  /** Share of the picked 1% that are among the 1% that grew most, and the same for 5%. */
  p1: number;
  p5: number;
  /** Mean growth of the picked 1% and 5% over the horizon, as a logarithm. */
  mean1: number;
  mean5: number;
  /** Spearman's rank correlation with actual growth. */
  rho: number;
}
export const FIGURES = ["p1", "p5", "mean1", "mean5", "rho"] as const satisfies (keyof Figures)[];

interface Bounds {
  low: number;
  high: number;
}

/** How far chances can be trusted. */
export interface Reliability {
  /** Mean distance of chance and outcome over the bins, weighted by channels. */
  error: number;
  /** Mean squared distance of chance and outcome, and the same had the share that came been given to all. */
  brier: number;
  base_brier: number;
  /** `seen` is the share that grew so much. Both are null without channels. */
  bins: { from: number; to: number; channels: number; predicted: number | null; seen: number | null }[];
}

/** The chance of 5% growth in a week in one group: the mean, the share that grew so much, and its 95% interval. */
export interface GroupRecord extends Record<keyof Bounds, number | null> {
  channels: number;
  predicted: number | null;
  seen: number | null;
}

/** Shares that ended in the likely range, 0.8 when it is right, and below it; null without channels. */
export interface RangeShares {
  channels: number;
  coverage: number | null;
  below: number | null;
}

/** The result of a backtest. Each figure is the mean over its origins. */
export interface BacktestReport {
  horizons: ByHorizon<Record<RankingName, Figures>>;
  /** The share of all channels on all origins, and their mean log growth in the next 7 days; null without channels. */
  levels: Record<AlertLevel, { share: number; mean7: number | null }>;
  /** Days from which growth was predicted. */
  origins: number;
  /** Channels that were ranked at least once. */
  channels: number;
  best_possible: ByHorizon<Pick<Figures, "mean1" | "mean5">>;
  /** 95% of bootstrap samples of channels lie in them. `lead` is the score's figure minus that of the best baseline. */
  intervals: ByHorizon<{
    score: Record<keyof Figures, Bounds>;
    lead: Record<keyof Figures, Bounds & { baseline: RankingName; value: number }>;
  }>;
  /** By subscribers at the origin; channels is the mean over the origins. */
  bands: ByHorizon<Record<string, { channels: number; rankings: Record<RankingName, Figures> }>>;
  /** 7 days ahead, by days of history. `recall`: share of the fastest 5% that are in the top 5% of all scores. */
  by_history: Record<HistoryGroup, { channels: number; p5: number | null; rho: number | null; recall: number | null }>;
  /** by_history is of all channels, as if only that many days of history were known. */
  calibration: { chance_7d: Reliability; chance_28d: Reliability } & ChanceGroups<GroupRecord>;
  ranges: ByHorizon<RangeShares & Pick<ChanceGroups<RangeShares>, "by_size">>;
  /** Seed of the drawn histories; null for whole ones. */
  mixed_history: number | null;
  /** Movement of the score on channel-days without new counts. */
  quiet_days: { days: number; mean_change: number | null; largest_change: number | null };
  /** Alerts by the rule: one-day growth above 10%. */
  alerts: number;
  /** The half of the channels that was used; null for all. */
  half: Half | null;
  score_version: number;
}
