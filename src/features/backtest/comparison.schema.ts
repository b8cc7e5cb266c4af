import { z } from "zod";
import { ALERT_LEVELS } from "@/features/growth/score.rules";

/** The score and the simple rankings that stored snapshots allow. */
export const GRADED = ["score", "size", "g7", "g14", "g28", "views"] as const;

const count = z.int().min(0);

/** Chances in ten bins of equal width: channels, the sum of their chances, and how many reached the growth. */
const Bins = z.array(z.object({ channels: count, chances: z.number(), came: count }));
export type Bins = z.output<typeof Bins>;

/** How many channels ended in their likely range, and below it. */
const Held = z.object({ channels: count, inside: count, below: count });
export type Held = z.output<typeof Held>;

/** How channels grew in the seven days after the scores of a day. */
export const DayFigures = z.object({
  /** Spearman's rank correlation with actual growth. */
  rankings: z.record(z.enum(GRADED), z.object({ rho: z.number() })),
  /** `came`: channels that grew 5% or more. */
  levels: z.record(z.enum(ALERT_LEVELS), z.object({ channels: count, came: count })),
  /** The first 5% of each ranking, and how many of them grew 5% or more. */
  lists: z.record(z.enum(GRADED), z.object({ picked: count, came: count })),
  chance_7d: Bins,
  /** Of the scores 21 days earlier, whose 28 days end on the same day. */
  chance_28d: Bins,
  /** Sums of squared distances. */
  brier: z.object({ chance_7d: z.number(), chance_28d: z.number() }),
  /** Of chance_7d. */
  groups: z.object({
    by_size: z.object({ 100: Bins, 1000: Bins, 10000: Bins, 100000: Bins }),
    by_history: z.object({ 1: Bins, 3: Bins, 7: Bins, 14: Bins, 28: Bins }),
    by_shape: z.object({ steady: Bins, lone_jump: Bins, recovering: Bins }),
  }),
  ranges: z.object({ 7: Held, 28: Held }),
});
export type DayFigures = z.output<typeof DayFigures>;
