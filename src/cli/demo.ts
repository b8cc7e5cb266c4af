import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Env } from "@/core/env";
import { isUnauthorized } from "@/core/errors";
import { createLogMonitoring } from "@/core/mail/monitoring";
import { createOutbox } from "@/core/mail/outbox";
import { addDays, type Day, ManualClock, startOfDay, systemClock, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { compareChannels } from "@/features/backtest/comparison.service";
import { trackUnread } from "@/features/creators/service";
import { readCandidates } from "@/features/discovery/candidates.service";
import { fillMap } from "@/features/discovery/map.service";
import { recordSnapshots } from "@/features/growth/service";
import { authenticate, issueKey, revokeKey } from "@/features/keys/service";
import { clearAlertEmail, setAlertEmail } from "@/features/notifications/addresses.service";
import { storePastSnapshots } from "@/features/snapshots/past.service";
import { getRunSummary } from "@/features/snapshots/service";
import { STAGED_CHANNELS } from "@/platform/sample";
import { getOutboxFolder, type ServiceContext } from "@/server/context";
import { createServiceContext, getDemoDayFile } from "@/server/services";
import { chooseCreators, fillDemo, type PastDay, readPast } from "./demo-content";
import { getDailyRunTime, simulateDays } from "./simulate";
import { NO_STEPS, type Steps } from "./steps";

/** 30 days of growth need 31 snapshots. */
const DEMO_DAYS = 31;
/** The creators of the map get a score to grade every five days. */
const SCORED_EVERY = 5;
const HORIZON_DAYS = 7;
const DEMO_EMAIL = "you@example.com";

/**
 * Prepares the demo: a key that tracks creators of the sample platform, and a simulated month of daily
 * runs. Emails go to the outbox and monitoring posts to the log. A preparation that was cut off continues.
 * @param steps gets the progress
 * @returns the key's id and secret
 */
export async function prepareDemo(
  env: Env,
  { db, log }: Pick<CoreContext, "db" | "log">,
  steps: Steps = NO_STEPS,
): Promise<{ id: string; secret: string }> {
  const today = toUtcDay(systemClock.now());
  if (!existsSync(getDemoDayFile(env))) await writeFile(getDemoDayFile(env), `${findLastRunDay()}\n`);
  const clock = new ManualClock(startOfDay(addDays(today, -DEMO_DAYS)));
  // Some of the sample's creators fail on purpose.
  const quiet = log.child({}, { level: "error" });
  const mailer = createOutbox(getOutboxFolder(env));
  const monitoring = createLogMonitoring(quiet);
  const ctx = createServiceContext(env, { db, log: quiet, clock, mailer, monitoring });
  const secret = (await readStoredKey(env, ctx)) ?? (await issueDemoKey(env, ctx));
  const { done: doneFile } = getDemoFiles(env);
  const key = await authenticate(ctx, secret);
  const demo = { id: key.id, secret };
  if (existsSync(doneFile)) return demo;
  steps.begin(`Preparing ${DEMO_DAYS - 1} days of sample data…`);
  // The demo sends no real mail.
  if (env.email.kind === "outbox") await setAlertEmail(ctx, key.id, DEMO_EMAIL);
  const days = Array.from({ length: DEMO_DAYS + 1 }, (_, index) => addDays(today, index - DEMO_DAYS));
  const past = await readPast(
    ctx.platform,
    clock,
    days.filter((day) => getDailyRunTime(day) <= systemClock.now()),
  );
  const creators = await chooseCreators(ctx.platform, past);
  clock.set(startOfDay(addDays(today, -DEMO_DAYS)));
  await trackUnread(ctx, key.id, [...new Set([creators.niche, STAGED_CHANNELS, creators.risers].flat())]);
  let done = 0;
  const advance = () => steps.progress(Math.min(1, ++done / (2 * past.length)));
  await simulateUpToNow(ctx, clock, advance);
  await measureMap(ctx, clock, past, advance);
  await fillDemo(ctx, clock, key, creators);
  await writeFile(doneFile, "");
  return demo;
}

/** Revokes the demo key, clears its address and deletes the demo's files, so that production starts without a demo. */
export async function retireDemo(env: Env, ctx: CoreContext): Promise<void> {
  const key = await readStoredKey(env, ctx);
  if (key === null) return;
  const { id } = await authenticate(ctx, key);
  await clearAlertEmail(ctx, id);
  await revokeKey(ctx, id);
  await Promise.all(Object.values(getDemoFiles(env)).map((file) => rm(file, { force: true })));
  ctx.log.warn({ keyId: id }, "revoked the demo key");
}

/** The key and how to use it. */
export function describeDemo({ appUrl, email, hasSandbox }: Env, key: string): string {
  const outbox = email.kind === "outbox" ? `  Sent emails  ${appUrl}/outbox\n` : "";
  const sandbox = hasSandbox ? `  Sandbox      ${appUrl}/docs/sandbox (a public key, no account)\n` : "";
  return `
  Console      ${appUrl}
  Demo key     ${key}
  Sign in      ${appUrl}/sign-in with the demo key
  API docs     ${appUrl}/docs
${sandbox}${outbox}
Try it:
  curl -H "X-API-Key: ${key}" "${appUrl}/api/discover?niche=gaming&limit=3"
  curl -H "X-API-Key: ${key}" "${appUrl}/api/alerts?limit=5"

Ctrl-C stops the service. The sample data stays for the next start.`;
}

/** Simulates from the first day without a finished run to the last one that is due. */
async function simulateUpToNow(ctx: ServiceContext, clock: ManualClock, onDay: () => void): Promise<void> {
  const last = await getRunSummary(ctx);
  const resume = last && (last.finished_at ? addDays(last.day, 1) : last.day);
  await simulateDays(ctx, { clock, from: resume ?? toUtcDay(clock.now()), to: findLastRunDay(), onDay });
}

function findLastRunDay(): Day {
  const now = systemClock.now();
  const today = toUtcDay(now);
  return now < getDailyRunTime(today) ? addDays(today, -1) : today;
}

/** Gives the creators of the map their past and the score its record, so that both are whole from the start. */
async function measureMap(
  ctx: ServiceContext,
  clock: ManualClock,
  past: readonly PastDay[],
  onDay: () => void,
): Promise<void> {
  const [before, last] = [past.slice(0, -1), past.at(-1)];
  clock.set(last?.at ?? clock.now());
  await fillMap(ctx);
  for (const [index, { at, day, stats }] of before.entries()) {
    clock.set(at);
    const isScored = (DEMO_DAYS - index) % SCORED_EVERY === 2;
    if (isScored) await recordSnapshots(ctx, day, "track", stats);
    else await storePastSnapshots(ctx, stats);
    onDay();
  }
  clock.set(last?.at ?? clock.now());
  while ((await readCandidates(ctx)) > 0);
  for (const { at, day } of past.slice(HORIZON_DAYS)) {
    clock.set(at);
    await compareChannels(ctx, day, true);
  }
}

async function issueDemoKey(env: Env, ctx: ServiceContext): Promise<string> {
  const { secret } = await issueKey(ctx, { tier: "pro", label: "Demo" });
  await writeFile(getDemoFiles(env).key, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** The demo key of an earlier start, while it is valid. */
async function readStoredKey(env: Env, ctx: CoreContext): Promise<string | null> {
  const key = (await readFile(getDemoFiles(env).key, "utf8").catch(() => "")).trim();
  const record = await authenticate(ctx, key).catch((error) => {
    if (!isUnauthorized(error)) throw error;
  });
  return record ? key : null;
}

function getDemoFiles({ dataDir }: Env) {
  return { key: path.join(dataDir, "demo-key"), done: path.join(dataDir, "demo-done") };
}
