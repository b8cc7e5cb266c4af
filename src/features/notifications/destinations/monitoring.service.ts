import { sql } from "drizzle-orm";
import type { Env } from "@/core/env";
import { type Check, type CheckResult, createFault, createOk } from "@/core/http/check";
import { HOUR, MINUTE } from "@/core/time";
import { loadAlert, toPost } from "../messages.service";
import type { Destination } from "./port.service";

/** How long a post with an unknown outcome is repeated without delay, and its longest wait after that. */
const REPEATS = { soon: 5 * MINUTE, maxWait: 3 * HOUR };

/** A post about each alert of any key, for the operator. */
export const monitoring: Destination = {
  name: "monitoring",
  title: "monitoring channel",
  jobId: "monitor-alert",
  perSecond: 1,
  hasDigests: false,
  recipientsSql: () => sql`select id, null as recipient from made`,
  async render(ctx, { alertId }) {
    const post = toPost(await loadAlert(ctx, alertId));
    return {
      async send() {
        await ctx.monitoring.post(post);
        return null;
      },
    };
  },
  // A repeated post shows twice in the channel, so it waits for as long as its outcome has been unknown.
  getRepeatWait: (unknownForMs) => (unknownForMs < REPEATS.soon ? 0 : Math.min(unknownForMs, REPEATS.maxWait)),
  listChecks: listMonitoringChecks,
};

/** Posts an empty message, which a webhook refuses and never shows. */
function listMonitoringChecks({ monitoring }: Env): (Check | CheckResult)[] {
  if (monitoring.kind === "log") return [{ what: "log", ...createOk("one log line per alert") }];
  const variable = "MONITORING_WEBHOOK_URL";
  return [
    {
      what: "webhook",
      variable,
      url: monitoring.url,
      body: "{}",
      rules: [
        [/^(401|403|404|410) /, createFault(`the webhook of ${variable} does not exist: create a new one`)],
        [/^(400 |200 (?!\s*<))/, createOk("the webhook is valid; nothing was posted")],
      ],
    },
  ];
}
