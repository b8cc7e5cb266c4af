import { cron, type Inngest } from "inngest";
import { type MonitorContext, reportRun } from "./monitor.service";

/** Reports a daily run that went wrong to the operator. */
export function createMonitorJobs(inngest: Inngest, ctx: MonitorContext) {
  return [
    inngest.createFunction(
      { id: "watch-run", triggers: [cron("TZ=UTC */30 * * * *")], retries: 1, concurrency: 1 },
      ({ step }) => step.run("tell", () => reportRun(ctx)),
    ),
  ];
}
