import type { Env } from "@/core/env";
import { isLocal } from "@/core/http/url";
import { SECOND } from "@/core/time";
import { type Check, type Finding, note, ok, wrong } from "./check";

const TOLERATED_LEAD_MS = 30 * SECOND;
const MIN_DISTINCT_CHARACTERS = 12;

/** Checks that the service answers at its public address. */
export function addressCheck({ appUrl, email, jobs }: Env): Check | Finding {
  const names = { part: "address", what: "this service" };
  if (isLocal(appUrl) && (email.kind === "resend" || jobs.kind === "inngest"))
    return { ...names, ...wrong("APP_URL must be a public address: emails link to it, Inngest calls it") };
  if (!isLocal(appUrl) && !appUrl.startsWith("https:"))
    return { ...names, ...wrong("APP_URL must begin with https://") };
  const rules: Check["rules"] = [[/^200 .*"status":"ok"/s, ok("answers at APP_URL")]];
  return { ...names, variable: "APP_URL", url: `${appUrl}/api/health`, isOptional: true, rules };
}

/** Checks that the secret which signs links in emails is hard to guess. */
export function checkSessionSecret({ sessionSecret }: Env): Finding {
  const names = { part: "signatures", what: "SESSION_SECRET" };
  if (sessionSecret === null) return { ...names, ...ok("generated and kept in DATA_DIR") };
  if (new Set(sessionSecret).size >= MIN_DISTINCT_CHARACTERS) return { ...names, ...ok("set") };
  return { ...names, ...wrong("is easy to guess: make one with `openssl rand -base64 48`") };
}

/** Judges this machine's clock by the median of the services' leads over it, in milliseconds. */
export function checkClock(leads: number[]): Finding {
  const names = { part: "clock", what: "this machine" };
  const [median] = [...leads].sort((one, other) => one - other).slice(Math.floor(leads.length / 2));
  if (median === undefined) return { ...names, ...note("no service sent its time to compare with") };
  if (Math.abs(median) <= TOLERATED_LEAD_MS) return { ...names, ...ok("agrees with the services' clocks") };
  const off = `is ${Math.round(Math.abs(median) / SECOND)} s ${median > 0 ? "slow" : "fast"}`;
  return { ...names, ...wrong(`${off}: synchronize it, as days and signatures depend on it`) };
}
