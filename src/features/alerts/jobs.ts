import type { Inngest } from "inngest";
import { causeRequested } from "@/features/events";
import { createScheduledJob, sendEventsInSteps } from "@/jobs/client";
import type { PlatformContext } from "@/platform/port";
import { readCause, storeUnknown, takeLostCauses } from "./cause.service";
import { gradeAlerts } from "./outcomes.service";

/** The jobs that read the causes of alerts, one for each channel that rose on a day, and that grade alerts. */
export function createAlertJobs(inngest: Inngest, ctx: PlatformContext) {
  return [
    inngest.createFunction(
      {
        id: "read-cause",
        triggers: [causeRequested],
        // Each try may cost two units.
        retries: 1,
        concurrency: 2,
        onFailure: async ({ error, event }) => {
          const risen = event.data.event.data;
          ctx.log.error({ ...risen, problem: error.message }, "a cause could not be stored");
          await storeUnknown(ctx, risen, "no_answer");
        },
      },
      ({ event }) => readCause(ctx, event.data),
    ),
    createScheduledJob(inngest, { id: "sweep-causes", at: "5-59/10 * * * *", retries: 1 }, async (step) => {
      const lost = await step.run("find", () => takeLostCauses(ctx));
      const events = lost.map((risen) => causeRequested.create(risen));
      await sendEventsInSteps(step, "read", events);
    }),
    // Daily, after the daily run.
    createScheduledJob(inngest, { id: "grade-alerts", at: "0 9 * * *", retries: 3 }, (step) =>
      step.run("grade", () => gradeAlerts(ctx)),
    ),
  ];
}
