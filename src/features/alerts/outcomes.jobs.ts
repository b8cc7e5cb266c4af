import { cron, type Inngest } from "inngest";
import type { CoreContext } from "@/db/context";
import { gradeAlerts } from "./outcomes.service";

/** Grades alerts daily, after the daily run. */
export function createOutcomeJobs(inngest: Inngest, ctx: CoreContext) {
  return [
    inngest.createFunction({ id: "grade-alerts", triggers: [cron("TZ=UTC 0 9 * * *")], retries: 3 }, ({ step }) =>
      step.run("grade", () => gradeAlerts(ctx)),
    ),
  ];
}
