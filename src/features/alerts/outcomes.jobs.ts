import { cron, type Inngest } from "inngest";
import type { CoreContext } from "@/core/context";
import { gradeAlerts } from "./outcomes.service";

/** Grades earlier alerts once a day, after the day's snapshots are stored. */
export function outcomeJobs(inngest: Inngest, ctx: CoreContext) {
  return [
    inngest.createFunction(
      { id: "grade-alerts", triggers: [cron("TZ=UTC 0 9 * * *")], retries: 3 },
      ({ step }) => step.run("grade", () => gradeAlerts(ctx)),
    ),
  ];
}
