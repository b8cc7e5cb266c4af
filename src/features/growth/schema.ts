import { z } from "zod";
import type { ScoreParts as Parts } from "./score.rules";

/** The parts of a score, stored with its snapshot. score.rules.ts says what each means. */
export const ScoreParts = z.object({
  growth_28d: z.number(),
  growth_7d: z.number(),
  growth_recent: z.number(),
  growth_by_views: z.number().nullable(),
  acceleration: z.number(),
  persistence: z.number(),
  reach: z.number().nullable(),
  confidence: z.number(),
}) satisfies z.ZodType<Parts>;

/** Growth of the shown count up to the latest snapshot, with the range that rounding allows. */
export const GrowthWindow = z.object({
  days: z.int(),
  subscribers_before: z.int().min(0).nullable().describe("Null without a snapshot of that day"),
  subscribers_after: z.int().min(0).nullable(),
  percent: z.number().nullable().describe("Null when unknown"),
  low: z.number().nullable().describe("Lowest true growth in percent that rounding allows"),
  high: z.number().nullable().describe("Highest true growth in percent that rounding allows"),
});
