import { z } from "zod";
import { Figures } from "./backtest.schema";
import { ALERT_LEVELS } from "./score.rules";

/** The score and the simple rankings that stored snapshots allow. */
export const GRADED = ["score", "size", "g7", "g14"] as const;

/** How channels grew in the seven days after the scores of a day. */
export const DayFigures = z.object({
  rankings: z.record(z.enum(GRADED), Figures),
  levels: z.record(
    z.enum(ALERT_LEVELS),
    z.object({
      channels: z.int().min(0),
      mean7: z.number().nullable().describe("Mean log growth of subscribers; null without channels"),
    }),
  ),
});
export type DayFigures = z.output<typeof DayFigures>;

/** How well the service's scores predicted the following week. */
export const Accuracy = DayFigures.extend({
  first_day: z.iso.date().describe("First day with graded scores"),
  last_day: z.iso.date(),
  days: z.int().min(1),
  channels: z.int().min(0).describe("Average number of channels graded per day"),
  score_version: z.int(),
});
export type Accuracy = z.output<typeof Accuracy>;
