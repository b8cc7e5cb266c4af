import type { Inngest } from "inngest";
import type { CoreContext } from "@/db/context";
import { createScheduledJob } from "@/jobs/client";
import { purgeEndedSessions } from "./service";

/** Deletes ended sessions every hour, also where the sandbox was turned off meanwhile. */
export function createSandboxJobs(inngest: Inngest, ctx: CoreContext) {
  const schedule = { id: "purge-sandbox", at: "10 * * * *", retries: 1 } as const;
  return [createScheduledJob(inngest, schedule, (step) => step.run("purge", () => purgeEndedSessions(ctx)))];
}
