import { z } from "zod";

/** The parts of a score, stored with its snapshot. Growth is the logarithm per week: 0.01 is about 1% a week. */
export const ScoreParts = z.object({
  growth_28d: z.number().describe("Days before the first snapshot count as days without growth"),
  growth_7d: z.number(),
  growth_recent: z.number().describe("Weighted mean of the days, newest highest"),
  growth_by_views: z
    .number()
    .nullable()
    .describe("Expected from the last week's views at the channel's own subscribers per view; null without views"),
  persistence: z.number().describe("Share of the last four weeks that grew, 0 to 1"),
  reach: z.number().nullable().describe("Views per subscriber and week; null without views"),
  confidence: z.number().describe("How much of the 28 days is known, and how little rounding hides, 0 to 1"),
  size: z.number().describe("Subscribers at the start of the window"),
  history_days: z.int().describe("Days from the first count of the window to the last"),
  largest_day_share: z.number().describe("Share of the window's rises that came on its largest day, 0 to 1"),
  growth_since_largest_day: z.number(),
  slowest_week: z.number().nullable().describe("Of the last four; null without a whole week"),
});
export type ScoreParts = z.output<typeof ScoreParts>;

export const SCORE_PARTS = ["recent_pace", "last_28_days", "views", "persistence", "reach", "few_days"] as const;

/**
 * `recent_pace`, `last_28_days`: growth. `views`: growth that the week's views point to. `persistence`: weeks that grew.
 * `reach`: views per subscriber. `few_days`: what a channel of so few days has without growth.
 */
export interface ScorePart {
  part: (typeof SCORE_PARTS)[number];
  points: number;
  /** The most points that this part gives. */
  max: number;
}

/** Growth of the shown count up to the latest snapshot, with the range that rounding allows. Null when unknown. */
export interface GrowthWindow {
  days: number;
  subscribers_before: number | null;
  subscribers_after: number | null;
  percent: number | null;
  /** Lowest and highest true growth in percent that rounding allows. */
  low: number | null;
  high: number | null;
}
