import type { Env } from "@/core/env";
import type { Asker } from "./ask";
import { type Finding, findings } from "./finding";

/** Whether the monitoring channel's webhook lives: one that does refuses an empty message and shows nothing. */
export async function checkMonitoring({ monitoring }: Env, { ask }: Asker): Promise<Finding> {
  if (monitoring.kind === "log") return findings("monitoring channel", "log").ok("a line of the log");
  const { ok, note, wrong } = findings("monitoring channel", "webhook");
  const reply = await ask(monitoring.url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  if ("fault" in reply) return wrong(`MONITORING_WEBHOOK_URL cannot be reached (${reply.fault})`);
  const { status, text } = reply;
  if (status === 429) return note("the webhook is called too often right now; run this again");
  if (status >= 500)
    return wrong(`the webhook's service cannot answer right now (HTTP ${status}); try again later`);
  if ([401, 403, 404, 410].includes(status))
    return wrong(
      `MONITORING_WEBHOOK_URL is a webhook that is gone or was never there (HTTP ${status}): make a new one`,
    );
  // Slack says no_text or invalid_payload, Discord answers 400 in words of its own.
  if (status === 400 || (status === 200 && !/^\s*</.test(text))) return ok("lives; nothing was posted");
  return wrong(`MONITORING_WEBHOOK_URL does not answer as a webhook (HTTP ${status})`);
}
