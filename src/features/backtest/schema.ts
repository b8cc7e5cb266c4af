import { z } from "zod";
import { ALERT_LEVELS } from "@/features/growth/score.rules";

/** The score and the simple rankings it competes with. */
export const RANKINGS = ["score", "size", "g1", "g7", "g14", "g28", "pace", "views"] as const;
export type RankingName = (typeof RANKINGS)[number];

export const HORIZONS = [7, 28] as const;
export type Horizon = (typeof HORIZONS)[number];

export const HALVES = ["a", "b"] as const;
export type Half = (typeof HALVES)[number];

const share = z.number().min(0).max(1);
const logGrowth = z.number().describe("Growth of subscribers over the horizon, as a logarithm");

export const Figures = z.object({
  p1: share.describe("Share of the picked 1% that are among the 1% that grew most"),
  p5: share.describe("The same for 5%"),
  mean1: logGrowth.describe("Mean growth of the picked 1%"),
  mean5: logGrowth.describe("Mean growth of the picked 5%"),
  rho: z.number().min(-1).max(1).describe("Spearman's rank correlation with actual growth"),
});
export type Figures = z.output<typeof Figures>;
export const FIGURES = Figures.keyof().options;

const RankingFigures = z.record(z.enum(RANKINGS), Figures);

export const horizonSchema = <Schema extends z.ZodType>(schema: Schema) => z.object({ 7: schema, 28: schema });

const Bounds = z.object({ low: z.number(), high: z.number() });
const figureSchema = <Schema extends z.ZodType>(schema: Schema) => z.record(Figures.keyof(), schema);

const HistoryFigures = z.object({
  channels: z.int().describe("Mean over the origins"),
  p5: share
    .nullable()
    .describe("Share of the group's top 5% by score among its 5% that grew most; null without channels"),
  rho: z.number().min(-1).max(1).nullable(),
  recall: share
    .nullable()
    .describe("Share of an origin's fastest 5% from this group that are in the top 5% of all scores"),
});

/** How far chances can be trusted. */
export const Reliability = z.object({
  error: share.describe("Mean distance of chance and outcome over the bins, weighted by channels"),
  brier: share.describe("Mean squared distance of chance and outcome"),
  base_brier: share.describe("The same had the share that came been given to all"),
  bins: z.array(
    z.object({
      from: share,
      to: share,
      channels: z.int(),
      predicted: share.nullable(),
      seen: share.nullable().describe("Share that grew so much; null without channels"),
    }),
  ),
});
export type Reliability = z.output<typeof Reliability>;

/** The chance of 5% growth in a week in one group. */
export const GroupRecord = z.object({
  channels: z.int().describe("Channels on all origins"),
  predicted: share.nullable().describe("Mean chance; null without channels"),
  seen: share.nullable().describe("Share that grew so much"),
  low: share.nullable().describe("Of the 95% interval of `seen`"),
  high: share.nullable(),
});
export type GroupRecord = z.output<typeof GroupRecord>;

const Coverage = z.object({
  channels: z.int(),
  coverage: share
    .nullable()
    .describe("Share that ended in the likely range, 0.8 when it is right; null without channels"),
});
export const BySize = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ 100: schema, 1000: schema, 10000: schema, 100000: schema });
export const ByDays = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ 1: schema, 3: schema, 7: schema, 14: schema, 28: schema });
export const ByShape = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ steady: schema, lone_jump: schema, recovering: schema });

export const RangeRecord = Coverage.extend({
  below: share.nullable().describe("Share that ended below the range"),
  by_size: BySize(Coverage),
});
export type RangeRecord = z.output<typeof RangeRecord>;

/** The result of a backtest. Each figure is the mean over its origins. */
export const BacktestReport = z.object({
  horizons: horizonSchema(RankingFigures),
  levels: z.record(
    z.enum(ALERT_LEVELS),
    z.object({
      share: share.describe("Of all channels on all origins"),
      mean7: logGrowth.nullable().describe("Mean growth in the next 7 days; null without channels"),
    }),
  ),
  origins: z.int().describe("Days from which growth was predicted"),
  channels: z.int().describe("Channels that were ranked at least once"),
  best_possible: horizonSchema(z.object({ mean1: logGrowth, mean5: logGrowth })),
  intervals: horizonSchema(
    z.object({
      score: figureSchema(Bounds),
      lead: figureSchema(Bounds.extend({ baseline: z.enum(RANKINGS), value: z.number() })).describe(
        "The score's figure minus that of the best baseline",
      ),
    }),
  ).describe("95% of bootstrap samples of channels lie between low and high"),
  bands: horizonSchema(z.record(z.string(), z.object({ channels: z.int(), rankings: RankingFigures }))).describe(
    "By subscribers at the origin; channels is the mean over the origins",
  ),
  by_history: z
    .object({ 3: HistoryFigures, 7: HistoryFigures, 14: HistoryFigures, 28: HistoryFigures })
    .describe("7 days ahead, by days of history"),
  calibration: z.object({
    chance_7d: Reliability,
    chance_28d: Reliability,
    by_size: BySize(GroupRecord).describe("chance_7d by size; each key is the fewest subscribers of its group"),
    by_history: ByDays(GroupRecord).describe(
      "chance_7d of all channels, as if only that many days of history were known",
    ),
    by_shape: ByShape(GroupRecord).describe("chance_7d by how the channel grew before"),
  }),
  ranges: horizonSchema(RangeRecord),
  mixed_history: z.int().nullable().describe("Seed of the drawn histories; null for whole ones"),
  quiet_days: z
    .object({ days: z.int(), mean_change: z.number().nullable(), largest_change: z.number().nullable() })
    .describe("Movement of the score on channel-days without new counts"),
  alerts: z.int().describe("Alerts by the rule: one-day growth above 10%"),
  half: z.enum(HALVES).nullable().describe("The half of the channels that was used; null for all"),
  score_version: z.int(),
});
export type BacktestReport = z.output<typeof BacktestReport>;
