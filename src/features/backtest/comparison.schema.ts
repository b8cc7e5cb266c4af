import { z } from "zod";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { ByDays, ByShape, BySize, Figures, GroupRecord, horizonSchema, RangeRecord, Reliability } from "./schema";

/** The score and the simple rankings that stored snapshots allow. `pace` is the growth of all known days, per week. */
export const GRADED = ["score", "size", "g7", "g14", "g28", "pace", "views"] as const;

const count = z.int().min(0);

/** Channels among the 5% of a day that grew most, by days of history, and how many of them the score found. */
const Found = z.object({ fastest: count, found: count });

/**
 * Chances in ten bins of equal width: channels, the sum of their chances, and how many reached the growth.
 */
const Bins = z.array(z.object({ channels: count, chances: z.number(), came: count }));
export type Bins = z.output<typeof Bins>;

const Held = z.object({ channels: count, inside: count, below: count });
export type Held = z.output<typeof Held>;

/** How channels grew in the seven days after the scores of a day. */
export const DayFigures = z.object({
  rankings: z.record(z.enum(GRADED), Figures),
  levels: z.record(
    z.enum(ALERT_LEVELS),
    z.object({
      channels: count,
      came: count.describe("Channels that grew 5% or more"),
      mean7: z.number().nullable().describe("Mean log growth of subscribers; null without channels"),
    }),
  ),
  lists: z
    .record(z.enum(GRADED), z.object({ picked: count, came: count }))
    .describe("The first 5% of each ranking, and how many of them grew 5% or more"),
  by_history: z.object({ 3: Found, 7: Found, 14: Found, 28: Found }),
  chance_7d: Bins,
  chance_28d: Bins.describe("Of the scores 21 days earlier, whose 28 days end on the same day"),
  brier: z.object({ chance_7d: z.number(), chance_28d: z.number() }).describe("Sums of squared distances"),
  groups: z
    .object({ by_size: BySize(Bins), by_history: ByDays(Bins), by_shape: ByShape(Bins) })
    .describe("Of chance_7d"),
  ranges: horizonSchema(Held),
});
export type DayFigures = z.output<typeof DayFigures>;

const Rankings = DayFigures.shape.rankings;

const Group = GroupRecord.omit({ low: true, high: true }).extend({ bins: Reliability.shape.bins });

/** How well the service's scores predicted the following week. */
export const Accuracy = z.object({
  rankings: Rankings,
  levels: DayFigures.shape.levels,
  lists: DayFigures.shape.lists,
  by_history: DayFigures.shape.by_history,
  calibration: z.object({
    chance_7d: Reliability,
    chance_28d: Reliability,
    by_size: BySize(Group).describe("chance_7d by size; each key is the fewest subscribers of its group"),
    by_history: ByDays(Group).describe("chance_7d by history; each key is the fewest days of its group"),
    by_shape: ByShape(Group).describe("chance_7d by how the channel grew before"),
  }),
  ranges: horizonSchema(RangeRecord.omit({ by_size: true })).describe("How often growth ended in the likely range"),
  months: z
    .array(z.object({ month: z.string(), days: count, channels: count, rankings: Rankings }))
    .describe("Newest first; channels is the average per day"),
  first_day: z.iso.date().describe("First day with graded scores"),
  last_day: z.iso.date(),
  days: z.int().min(1),
  channels: count.describe("Average number of channels graded per day"),
  score_version: z.int(),
});
export type Accuracy = z.output<typeof Accuracy>;
