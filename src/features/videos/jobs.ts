import type { Inngest } from "inngest";
import { createScheduledJob } from "@/jobs/client";
import type { PlatformContext } from "@/platform/port";
import { listRisers, refreshVideos } from "./service";

/** The channels whose videos are read every day: those that grew most. */
const RISERS = 200;

/** Reads the videos of the service's strongest risers after the daily run, for as long as there are units for pages. */
export function createVideoJobs(inngest: Inngest, ctx: PlatformContext) {
  return [
    createScheduledJob(inngest, { id: "read-risers", at: "30 7 * * *", retries: 1 }, async (step) => {
      const ids = await step.run("find", () => listRisers(ctx, RISERS));
      for (const id of ids) if (!(await step.run(`read:${id}`, () => refreshVideos(ctx, id)))) break;
    }),
  ];
}
