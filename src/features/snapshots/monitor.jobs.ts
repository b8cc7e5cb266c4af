import { cron, type Inngest } from "inngest";
import { sendHeartbeat } from "./heartbeat.service";
import { type MonitorContext, reportRun } from "./monitor.service";

/** Reports a daily run that went wrong to the operator. */
export function createMonitorJobs(inngest: Inngest, ctx: MonitorContext) {
  return [
    inngest.createFunction(
      { id: "watch-run", triggers: [cron("TZ=UTC */30 * * * *")], retries: 1, concurrency: 1 },
      async ({ step }) => {
        await step.run("heartbeat", () => sendHeartbeat(ctx));
        await step.run("report", () => reportRun(ctx));
      },
    ),
  ];
}
