import { createHash } from "node:crypto";
import type { Env } from "@/core/env";
import type { Asker } from "./ask";
import { type Finding, findings } from "./finding";

const EVENTS = "https://inn.gs";
const API = "https://api.inngest.com";
const DEV_SERVER = "http://localhost:8288";

/** Whether Inngest knows both keys: no event is sent, and of those that were no more than one is asked for. */
export async function checkJobs({ jobs }: Env, asker: Asker): Promise<Finding[]> {
  switch (jobs.kind) {
    case "embedded":
      return [findings("jobs", "embedded engine").ok("runs within the service")];
    case "inngest-dev":
      return [await checkDevServer(jobs.baseUrl ?? DEV_SERVER, asker)];
    case "inngest":
      return Promise.all([
        checkEventKey(`${jobs.baseUrl ?? EVENTS}/e/${encodeURIComponent(jobs.eventKey)}`, asker),
        checkSigningKey(`${jobs.baseUrl ?? API}/v1/events?limit=1`, jobs.signingKey, asker),
      ]);
  }
}

async function checkDevServer(url: string, { ask }: Asker): Promise<Finding> {
  const { ok, wrong } = findings("jobs", "Inngest dev server");
  const reply = await ask(`${url}/dev`);
  return "status" in reply && reply.status === 200
    ? ok("runs")
    : wrong("does not run where INNGEST_DEV says: start it with `npx inngest-cli@latest dev`");
}

/** The key is looked at before the events, of which there are none. */
async function checkEventKey(url: string, { ask }: Asker): Promise<Finding> {
  const { ok, wrong } = findings("jobs", "Inngest event key");
  const headers = { "Content-Type": "application/json" };
  const reply = await ask(url, { method: "POST", headers, body: "[]" });
  if ("fault" in reply) return wrong(`the address of INNGEST_BASE_URL cannot be reached (${reply.fault})`);
  const { status, text } = reply;
  if (status === 401 || status === 403 || /event key not found/i.test(text))
    return wrong("INNGEST_EVENT_KEY is not a key of this environment");
  if (status >= 500) return wrong(`Inngest cannot answer right now (HTTP ${status}); try again later`);
  if (status === 200 || status === 400) return ok("is known");
  return wrong(`INNGEST_BASE_URL does not answer as Inngest (HTTP ${status})`);
}

async function checkSigningKey(url: string, key: string, { ask }: Asker): Promise<Finding> {
  const { ok, wrong } = findings("jobs", "Inngest signing key");
  const reply = await ask(url, { headers: { Authorization: `Bearer ${hashed(key)}` } });
  if ("fault" in reply) return wrong(`the address of INNGEST_BASE_URL cannot be reached (${reply.fault})`);
  const { status } = reply;
  if (status === 200) return ok("is known");
  if (status === 401 || status === 403)
    return wrong("INNGEST_SIGNING_KEY is not the key of this environment");
  if (status >= 500) return wrong(`Inngest cannot answer right now (HTTP ${status}); try again later`);
  return wrong(`INNGEST_BASE_URL does not answer as Inngest (HTTP ${status})`);
}

/** The form in which Inngest's own client shows a signing key. */
function hashed(key: string): string {
  const [prefix = ""] = /^signkey-\w+-/.exec(key) ?? [];
  return prefix + createHash("sha256").update(key.slice(prefix.length), "hex").digest("hex");
}
