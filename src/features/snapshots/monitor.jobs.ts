import { cron, type Inngest } from "inngest";
import { reportRun, type WatchContext } from "./monitor.service";

/** Reports a daily run that went wrong to the operator. */
export function monitorJobs(inngest: Inngest, ctx: WatchContext) {
  return [
    inngest.createFunction(
      { id: "watch-run", triggers: [cron("TZ=UTC */30 * * * *")], retries: 1, concurrency: 1 },
      ({ step }) => step.run("tell", () => reportRun(ctx)),
    ),
  ];
}
