import { z } from "zod";
import { ALERT_LABELS, SEVERITIES } from "@/core/db/schema";

const count = z.int().min(0);

/** Rises by outcome. */
export const Grades = z.object({ held: count, faded: count, unclear: count });
export type Grades = z.output<typeof Grades>;

/** Outcomes of all alerts of the service. A rise counts once, however many keys track the channel. */
export const Accuracy = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  alerts: count.describe("Rises that created an alert on these days"),
  horizons: z.array(
    z.object({
      days: z.int().describe("Days between alert and grade"),
      all: Grades,
      by_severity: z.array(Grades.extend({ severity: z.enum(SEVERITIES) })),
      by_label: z.array(Grades.extend({ label: z.enum(ALERT_LABELS) })),
    }),
  ),
});
export type Accuracy = z.output<typeof Accuracy>;
