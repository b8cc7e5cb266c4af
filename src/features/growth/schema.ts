import { z } from "zod";
import type { ScoreParts as Parts } from "./score.rules";

/** What a score was made of, as stored with its snapshot; see features/growth/score.ts for the meaning of each part. */
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

/** How much the shown count grew up to the latest reading, and what the platform's rounding may hide of it. */
export const GrowthWindow = z.object({
  days: z.int(),
  subscribers_before: z
    .int()
    .min(0)
    .nullable()
    .describe("Null without a reading of that day to compare with"),
  subscribers_after: z.int().min(0).nullable(),
  percent: z.number().nullable().describe("Null when unknown"),
  low: z.number().nullable().describe("Lowest true growth in percent that rounding allows"),
  high: z.number().nullable().describe("Highest true growth in percent that rounding allows"),
});
