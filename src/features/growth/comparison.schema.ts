import { z } from "zod";
import { Figures } from "./backtest.schema";
import { ALERT_LEVELS } from "./score.rules";

/** The score and the simple rankings that the kept readings allow beside it. */
export const GRADED = ["score", "size", "g7", "g14"] as const;

/** What became of the scores of one day within the next seven. */
export const DayFigures = z.object({
  rankings: z.record(z.enum(GRADED), Figures),
  levels: z.record(
    z.enum(ALERT_LEVELS),
    z.object({
      channels: z.int().min(0),
      mean7: z.number().nullable().describe("Mean log growth of subscribers; null of no channels"),
    }),
  ),
});
export type DayFigures = z.output<typeof DayFigures>;

/** The service's own record: how well the scores it gave foresaw the week after. */
export const Accuracy = DayFigures.extend({
  first_day: z.iso.date().describe("First day whose scores are in the record"),
  last_day: z.iso.date(),
  days: z.int().min(1),
  channels: z.int().min(0).describe("Channels graded a day, on average"),
  score_version: z.int(),
});
export type Accuracy = z.output<typeof Accuracy>;
