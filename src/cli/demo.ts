import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CoreContext } from "@/core/context";
import type { Env } from "@/core/env";
import { isUnauthorized } from "@/core/errors";
import { createLogMonitoring } from "@/core/mail/monitoring";
import { createOutbox } from "@/core/mail/outbox";
import { addDays, ManualClock, startOfDay, systemClock, utcDay } from "@/core/time";
import { trackUnread } from "@/features/creators/service";
import { isHighGrowth } from "@/features/growth/rules";
import { authenticate, issueKey, revokeKey } from "@/features/keys/service";
import { clearAlertEmail, setAlertEmail } from "@/features/notifications/addresses.service";
import { runSummary } from "@/features/snapshots/service";
import { CHANNELS_PER_CALL, type VideoPlatform } from "@/platform/port";
import { outboxFolder, type ServiceContext } from "@/server/context";
import { createServiceContext } from "@/server/parts";
import { dailyRunAt, playDays } from "./play";

/** One more than a month, so that 30 days have a day before them. */
const HISTORY_DAYS = 31;
const DEMO_NICHE = "gaming";
const DEMO_EMAIL = "you@example.com";

type Parts = Pick<CoreContext, "db" | "log">;

/**
 * Readies what a newcomer sees in development: a key that tracks creators of the sample platform, and their last
 * weeks, lived through once by the real daily run. Nobody is told of what never was: its mails go to the outbox, its
 * posts nowhere. A start that was cut off in the middle is taken up.
 * @returns the key
 */
export async function prepareDemo(env: Env, { db, log }: Parts): Promise<string> {
  const clock = new ManualClock(startOfDay(addDays(utcDay(systemClock.now()), -HISTORY_DAYS)));
  const quiet = log.child({}, { level: "warn" });
  const mailer = createOutbox(outboxFolder(env));
  const monitoring = createLogMonitoring(quiet);
  const ctx = { ...createServiceContext(env, { db, log: quiet, clock, mailer, monitoring }), clock };
  const key = (await keptKey(env, ctx)) ?? (await issueDemoKey(env, ctx));
  const done = demoDoneFile(env);
  if (existsSync(done)) return key;
  const { id } = await authenticate(ctx, key);
  await setAlertEmail(ctx, id, DEMO_EMAIL);
  await trackUnread(ctx, id, await demoCreators(ctx.platform, clock));
  await liveUpToNow(ctx);
  await writeFile(done, "");
  return key;
}

/**
 * Ends the demo that a start in development left in the data folder: in production its key opens nothing, its creators
 * are not read and its address is not mailed. The next start in development begins another one.
 */
export async function retireDemo(env: Env, ctx: CoreContext): Promise<void> {
  const key = await keptKey(env, ctx);
  if (key === null) return;
  const { id } = await authenticate(ctx, key);
  await clearAlertEmail(ctx, id);
  await revokeKey(ctx, id);
  await Promise.all([demoKeyFile(env), demoDoneFile(env)].map((file) => rm(file, { force: true })));
  ctx.log.warn({ keyId: id }, "the demo key of development was found and is revoked");
}

/** Prints the key and what to do with it. */
export function announceDemo(env: Env, key: string): void {
  const curl = (rest: string) => `  curl -H "X-API-Key: ${key}" ${rest}`;
  const track = `-H "Content-Type: application/json" -d '{"channel_id":"@juniperfivecrits"}'`;
  const lines = [
    "",
    `Creator Growth Tracking Service is up at ${env.appUrl} with sample data.`,
    "",
    "Demo API key:",
    `  ${key}`,
    "",
    "Try it:",
    curl(`"${env.appUrl}/api/discover?niche=gaming&limit=3"`),
    curl(`${track} "${env.appUrl}/api/track"`),
    curl(`"${env.appUrl}/api/track?limit=5"`),
    curl(`"${env.appUrl}/api/alerts?limit=5"`),
    curl(`"${env.appUrl}/api/usage"`),
    "",
    ...(env.email.kind === "outbox" ? [`Mails it has sent: ${env.appUrl}/outbox`, ""] : []),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** The creators of one niche, and whoever makes an alert on one of the days: all severities are among them. */
async function demoCreators(platform: VideoPlatform, clock: ManualClock): Promise<string[]> {
  const tracked = new Set(await platform.search(DEMO_NICHE));
  const everyone = (await Promise.all(platform.niches.map((niche) => platform.search(niche)))).flat();
  const start = clock.now();
  let yesterday = new Map<string, number>();
  for (let day = utcDay(start); day <= utcDay(systemClock.now()); day = addDays(day, 1)) {
    clock.set(dailyRunAt(day));
    const today = await readSubscribers(platform, everyone);
    for (const [id, subscribers] of today)
      if (isHighGrowth(yesterday.get(id) ?? 0, subscribers)) tracked.add(id);
    yesterday = today;
  }
  clock.set(start);
  return [...tracked];
}

async function readSubscribers(platform: VideoPlatform, ids: string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let from = 0; from < ids.length; from += CHANNELS_PER_CALL)
    for (const { channelId, subscribers } of await platform.channels(
      ids.slice(from, from + CHANNELS_PER_CALL),
    ))
      if (subscribers !== null) counts.set(channelId, subscribers);
  return counts;
}

/** Plays the days from the last run on that was not finished, up to the last one that was due. */
async function liveUpToNow(ctx: ServiceContext & { clock: ManualClock }): Promise<void> {
  const last = await runSummary(ctx);
  const resume = last && (last.finished_at ? addDays(last.day, 1) : last.day);
  const from = resume ?? utcDay(ctx.clock.now());
  const now = systemClock.now();
  const today = utcDay(now);
  await playDays(ctx, { clock: ctx.clock, from, to: now < dailyRunAt(today) ? addDays(today, -1) : today });
}

async function issueDemoKey(env: Env, ctx: ServiceContext): Promise<string> {
  const { secret } = await issueKey(ctx, { tier: "pro", label: "Demo" });
  await writeFile(demoKeyFile(env), `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** The key of earlier starts while it still stands. */
async function keptKey(env: Env, ctx: CoreContext): Promise<string | null> {
  const kept = await readFile(demoKeyFile(env), "utf8").then(
    (text) => text.trim(),
    () => null,
  );
  if (kept === null) return null;
  return authenticate(ctx, kept).then(
    () => kept,
    (error) => {
      if (isUnauthorized(error)) return null;
      throw error;
    },
  );
}

function demoKeyFile(env: Env): string {
  return path.join(env.dataDir, "demo-key");
}

function demoDoneFile(env: Env): string {
  return path.join(env.dataDir, "demo-done");
}
