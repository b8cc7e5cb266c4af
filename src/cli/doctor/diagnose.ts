import type { Env } from "@/core/env";
import {
  type Check,
  type CheckResult,
  createChecker,
  createFault,
  createNote,
  createOk,
  type Finding,
  type Verdict,
} from "@/core/http/check";
import { isLocal } from "@/core/http/url";
import type { Log } from "@/core/log/log";
import { type Clock, SECOND } from "@/core/time";
import { destinations } from "@/features/notifications/destinations.service";
import { readPort } from "../port";
import { checkDatabase } from "./database";
import { createJobChecks, createPlatformCheck, createQuotaCheck } from "./services";

const TOLERATED_LEAD_MS = 30 * SECOND;
const MIN_DISTINCT_CHARACTERS = 12;

/** Checks every configured service with a harmless call, then the settings they share. Never rejects. */
export async function diagnose(env: Env, { clock, log }: { clock: Clock; log: Log }): Promise<Finding[]> {
  const leads: number[] = [];
  const run = createChecker(clock, leads);
  const checks: Record<string, (Check | CheckResult)[] | Promise<CheckResult[]>> = {
    database: checkDatabase(env, log),
    "daily quota": [createQuotaCheck(env)],
    jobs: createJobChecks(env),
    "video platform": [createPlatformCheck(env)],
    ...Object.fromEntries(destinations.map(({ title, listChecks }) => [title, listChecks(env)])),
    address: [createAddressCheck(env), { what: "TRUSTED_PROXIES", ...checkProxies(env) }],
    signatures: [{ what: "SESSION_SECRET", ...checkSessionSecret(env) }],
    contact: [{ what: "OPERATOR_CONTACT", ...checkContact(env) }],
  };
  const found = await Promise.all(
    Object.entries(checks).map(async ([part, listed]) => {
      const results = (await listed).map((check) => ("says" in check ? check : run(check)));
      return (await Promise.all(results)).map((result) => ({ part, ...result }));
    }),
  );
  const isProduction = env.database.kind === "hosted" || !isLocal(env.appUrl);
  const noted = found.flat().map((finding) => (isProduction ? noteStandIn(finding) : finding));
  return [...noted, { part: "clock", what: "this machine", ...checkClock(leads) }];
}

/** What stands in for a service during development. */
const STAND_INS: Record<string, string> = {
  outbox: "emails are files in DATA_DIR/outbox only: set RESEND_API_KEY and ALERT_EMAIL_FROM to send them",
  log: "only the log has it: set MONITORING_WEBHOOK_URL to see alerts and problems in a channel",
  "sample platform": "the creators are made up: set YOUTUBE_API_KEY to track real ones",
};

function noteStandIn(finding: Finding): Finding {
  const says = finding.part === "email" && finding.what === "log" ? undefined : STAND_INS[finding.what];
  return says === undefined ? finding : { ...finding, ...createNote(says) };
}

/** Checks that the service answers at its public address. */
function createAddressCheck({ appUrl, email, jobs, dataDir, port }: Env): Check | CheckResult {
  const what = "this service";
  if (isLocal(appUrl) && (email.kind === "resend" || jobs.kind === "inngest"))
    return { what, ...createFault("APP_URL must be a public address: emails link to it, Inngest calls it") };
  if (!isLocal(appUrl) && !appUrl.startsWith("https:"))
    return { what, ...createFault("APP_URL must begin with https://") };
  if (new URL(appUrl).pathname !== "/")
    return { what, ...createFault("APP_URL must have no path: the service answers at the root of its address") };
  const rules: Check["rules"] = [[/^200 .*"status":"ok"/s, createOk("answers at APP_URL")]];
  const url = isLocal(appUrl) ? `http://localhost:${readPort(dataDir) ?? port}` : appUrl;
  return { what, variable: "APP_URL", url: `${url}/api/health`, isOptional: true, rules };
}

/** The service speaks no TLS, so that at an https address there is a proxy. A serverless host's proxy is known. */
function checkProxies({ appUrl, trustedProxies, serverless }: Env): Verdict {
  if (serverless || trustedProxies.length > 0) return createOk("set");
  if (isLocal(appUrl)) return createOk("not needed at a local address");
  return createNote("not set: all visitors count as one address; set it to the address of your reverse proxy");
}

/** Checks that the secret which signs links in emails is hard to guess. */
function checkSessionSecret({ sessionSecret }: Env): Verdict {
  if (sessionSecret === null) return createOk("generated and kept in DATA_DIR");
  if (new Set(sessionSecret).size >= MIN_DISTINCT_CHARACTERS) return createOk("set");
  return createFault("is easy to guess: make one with `openssl rand -base64 48`");
}

/** Visitors ask the operator for a key. */
function checkContact({ isContactSet }: Env): Verdict {
  if (isContactSet) return createOk("set");
  return createNote("not set: set it to the email address or page where users reach you");
}

/** Compares this machine's clock with the median of the services' leads over it, in milliseconds. */
function checkClock(leads: number[]): Verdict {
  const [median] = [...leads].sort((one, other) => one - other).slice(Math.floor(leads.length / 2));
  if (median === undefined) return createNote("no service sent its time to compare with");
  if (Math.abs(median) <= TOLERATED_LEAD_MS) return createOk("agrees with the services' clocks");
  const off = `is ${Math.round(Math.abs(median) / SECOND)} s ${median > 0 ? "slow" : "fast"}`;
  return createFault(`${off}: synchronize it, as days and signatures depend on it`);
}
