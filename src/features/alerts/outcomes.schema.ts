import { z } from "zod";
import { ALERT_LABELS, SEVERITIES } from "@/db/values";

const count = z.int().min(0);

/** Alerts or rises by outcome. */
export const Grades = z.object({ held: count, faded: count, unclear: count });
export type Grades = z.output<typeof Grades>;

/** How the alerts of the whole service turned out. A channel's alerts of one day count once, whichever keys they went to. */
export const Accuracy = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  alerts: count.describe("Days on which a channel had an alert"),
  rises: count.describe("Alerts without another of the same channel in the 7 days before"),
  held_chance: z
    .object({
      graded: count,
      predicted: z.number().describe("Mean of held_chance before its correction"),
      seen: z.number().describe("Share that held for 7 days"),
      brier: z.number().describe("Mean squared distance of held_chance and outcome"),
      base_brier: z.number().describe("The same had the share that held been given to all"),
    })
    .nullable()
    .describe("Null without graded alerts"),
  horizons: z.array(
    z.object({
      days: z.int().describe("Days from the alert to its grade"),
      all: Grades.describe("All alerts"),
      rises: Grades.describe("The first alert of each rise"),
      by_severity: z.array(Grades.extend({ severity: z.enum(SEVERITIES) })),
      by_month: z
        .array(z.object({ month: z.string(), all: Grades, rises: Grades }))
        .describe("By the month of the alert, newest first"),
      by_label: z.array(Grades.extend({ label: z.enum(ALERT_LABELS) })),
    }),
  ),
});
export type Accuracy = z.output<typeof Accuracy>;
