import { cron, type Inngest } from "inngest";
import type { CoreContext } from "@/db/context";
import { purgeEndedSessions } from "./service";

/** Deletes ended sessions every hour, also where the sandbox was turned off meanwhile. */
export function createSandboxJobs(inngest: Inngest, ctx: CoreContext) {
  const options = { id: "purge-sandbox", triggers: [cron("TZ=UTC 10 * * * *")], retries: 1 as const };
  return [inngest.createFunction(options, ({ step }) => step.run("purge", () => purgeEndedSessions(ctx)))];
}
