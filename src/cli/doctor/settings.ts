import type { Env } from "@/core/env";
import { isLocal } from "@/core/http/url";
import { SECOND } from "@/core/time";
import type { Asker } from "./ask";
import { type Finding, findings } from "./finding";

const TOLERATED_LEAD_MS = 30 * SECOND;
const FEWEST_CHARACTERS = 12;

/** Whether readers and services can reach the service where it says it is. */
export async function checkAppUrl(env: Env, { ask }: Asker): Promise<Finding> {
  const { ok, note, wrong } = findings("address", "APP_URL");
  const isLinkedTo = env.email.kind === "resend" || env.jobs.kind === "inngest";
  if (isLocal(env.appUrl) && isLinkedTo)
    return wrong("APP_URL must be an address that others reach: mails link to it");
  if (!isLocal(env.appUrl) && !env.appUrl.startsWith("https:"))
    return wrong("APP_URL must begin with https:// outside of this machine");
  const reply = await ask(`${env.appUrl}/api/health`);
  if ("fault" in reply) return note(`the service does not answer there now (${reply.fault})`);
  if (reply.status === 200 && reply.text.includes('"status":"ok"')) return ok("the service answers there");
  return reply.status >= 500
    ? note(`the service does not answer there now (HTTP ${reply.status})`)
    : wrong(`APP_URL leads to something else than this service (HTTP ${reply.status})`);
}

/** Whether links in mails are signed with something that cannot be guessed. */
export function checkSessionSecret({ sessionSecret }: Env): Finding {
  const { ok, wrong } = findings("signatures", "SESSION_SECRET");
  if (sessionSecret === null) return ok("made by the service and kept in DATA_DIR");
  return new Set(sessionSecret).size < FEWEST_CHARACTERS
    ? wrong("SESSION_SECRET can be guessed: make one with `openssl rand -base64 48`")
    : ok("set");
}

/** Whether this machine's clock agrees with those of the services that were asked. */
export function checkClock({ leads }: Asker): Finding {
  const { ok, note, wrong } = findings("clock", "this machine");
  const [middle] = [...leads].sort((one, other) => one - other).slice(Math.floor(leads.length / 2));
  if (middle === undefined) return note("no service told its time to compare with");
  if (Math.abs(middle) <= TOLERATED_LEAD_MS) return ok("agrees with the services'");
  const seconds = Math.round(Math.abs(middle) / SECOND);
  return wrong(
    `is ${seconds} s ${middle > 0 ? "slow" : "fast"}: days and signatures depend on it; synchronise it`,
  );
}
