import { z } from "zod";
import { ALERT_LABELS, SEVERITIES } from "@/core/db/schema";

const count = z.int().min(0);

/** Rises by what became of them. */
export const Grades = z.object({ held: count, faded: count, unclear: count });
export type Grades = z.output<typeof Grades>;

/** How alerts of the whole service turned out. A rise counts once, however many keys were told of it. */
export const Accuracy = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  alerts: count.describe("Rises that made an alert on these days"),
  horizons: z.array(
    z.object({
      days: z.int().describe("Graded so many days after the alert"),
      all: Grades,
      by_severity: z.array(Grades.extend({ severity: z.enum(SEVERITIES) })),
      by_label: z.array(Grades.extend({ label: z.enum(ALERT_LABELS) })),
    }),
  ),
});
export type Accuracy = z.output<typeof Accuracy>;
