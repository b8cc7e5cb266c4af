import { cron, type Inngest } from "inngest";
import { reportRun, type WatchContext } from "./monitor.service";

/** The function that tells the operator of a daily run gone wrong. */
export function watchJobs(inngest: Inngest, ctx: WatchContext) {
  return [
    inngest.createFunction(
      { id: "watch-run", triggers: [cron("TZ=UTC */30 * * * *")], retries: 1, concurrency: 1 },
      ({ step }) => step.run("tell", () => reportRun(ctx)),
    ),
  ];
}
