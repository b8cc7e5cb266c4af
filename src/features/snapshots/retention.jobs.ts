import { cron, type Inngest } from "inngest";
import type { CoreContext } from "@/db/context";
import { purgeExpired, type Retention } from "./retention.service";

/** Deletes what may no longer be kept, once a day. */
export function createRetentionJobs(inngest: Inngest, ctx: CoreContext, retention: Retention) {
  return [
    inngest.createFunction({ id: "purge-daily", triggers: [cron("TZ=UTC 0 5 * * *")], retries: 3 }, ({ step }) =>
      step.run("purge", () => purgeExpired(ctx, retention)),
    ),
  ];
}
