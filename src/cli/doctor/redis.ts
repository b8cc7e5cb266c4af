import type { Env } from "@/core/env";
import type { Asker } from "./ask";
import { type Finding, findings } from "./finding";

/** Whether Redis runs scripts for us, as counting does. The script does nothing. */
export async function checkQuota({ quota }: Env, { ask }: Asker): Promise<Finding> {
  if (quota.kind === "postgres") return findings("daily quota", "counter in PostgreSQL").ok("needs nothing");
  const { ok, wrong } = findings("daily quota", "Upstash Redis");
  const reply = await ask(quota.url, {
    method: "POST",
    headers: { Authorization: `Bearer ${quota.token}` },
    body: JSON.stringify(["EVAL", "return 1", "0"]),
  });
  if ("fault" in reply) return wrong(`UPSTASH_REDIS_REST_URL cannot be reached (${reply.fault})`);
  const { status, text } = reply;
  if (status === 200 && /"result":\s*1\b/.test(text)) return ok("counts");
  if (/NOPERM/.test(text))
    return wrong("UPSTASH_REDIS_REST_TOKEN is the read-only token; take the standard one");
  if (status === 401 || status === 403)
    return wrong("UPSTASH_REDIS_REST_TOKEN is not the token of the database at UPSTASH_REDIS_REST_URL");
  if (/max requests limit/i.test(text)) return wrong("the requests of the Upstash plan are used up");
  return wrong(`UPSTASH_REDIS_REST_URL is not the REST address of an Upstash Redis (HTTP ${status})`);
}
