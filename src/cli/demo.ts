import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CoreContext } from "@/core/context";
import type { Env } from "@/core/env";
import { AppError } from "@/core/errors";
import { addDays, HOUR, instant, ManualClock, startOfDay, systemClock, utcDay } from "@/core/time";
import { setAlertEmail } from "@/features/addresses/service";
import { severityOf, isHighGrowth } from "@/features/alerts/rules";
import { trackUnread } from "@/features/creators/service";
import type { KeyId } from "@/features/keys/schema";
import { authenticate, issueKey } from "@/features/keys/service";
import { runSummary } from "@/features/snapshots/service";
import { CHANNELS_PER_CALL, type VideoPlatform } from "@/platform/port";
import { createSamplePlatform } from "@/platform/sample";
import { createServiceContext } from "@/server/context";
import { playDays } from "./play";

const HISTORY_DAYS = 30;
const DEMO_NICHE = "gaming";
const DEMO_EMAIL = "you@example.com";

type Parts = Pick<CoreContext, "db" | "log">;

/**
 * Readies what a newcomer sees in development: a key that tracks creators of the sample platform, and the last 30
 * days of them, lived through by the real daily run. A later start lives through the days it missed.
 * @returns the key
 */
export async function prepareDemo(env: Env, { db, log }: Parts): Promise<string> {
  const kept = await keptKey(env, { db, log, clock: systemClock });
  const today = utcDay(systemClock.now());
  const clock = new ManualClock(startOfDay(addDays(today, -HISTORY_DAYS)));
  const ctx = createServiceContext(env, { db, log, clock, platform: createSamplePlatform(clock) });
  const key = kept ?? (await issueDemoKey(env, ctx));
  if (!kept) {
    const { id } = await authenticate(ctx, key);
    await setAlertEmail(ctx, id, DEMO_EMAIL);
    await trackUnread(ctx, id, await demoCreators(ctx.platform, clock));
  }
  await liveUpToNow({ ...ctx, clock });
  return key;
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
    `Mails it has sent: ${env.appUrl}/outbox`,
    "",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** The creators of one niche, and whoever jumped lately, so that each severity has been seen. */
async function demoCreators(platform: VideoPlatform, clock: ManualClock): Promise<string[]> {
  const start = clock.now();
  const everyone = (await Promise.all(platform.niches.map((niche) => platform.search(niche)))).flat();
  const tracked = new Set(await platform.search(DEMO_NICHE));
  const seen = new Set<string>();
  const before = new Map<string, number>();
  for (let day = utcDay(start); day <= utcDay(systemClock.now()); day = addDays(day, 1)) {
    clock.set(sixOClock(day));
    for (let from = 0; from < everyone.length; from += CHANNELS_PER_CALL)
      for (const { channelId, subscribers } of await platform.channels(everyone.slice(from, from + CHANNELS_PER_CALL))) {
        const last = before.get(channelId);
        if (subscribers !== null) before.set(channelId, subscribers);
        if (last === undefined || subscribers === null || !isHighGrowth(last, subscribers)) continue;
        const { severity } = severityOf(last, subscribers);
        if (!seen.has(severity)) tracked.add(channelId);
        seen.add(severity);
      }
  }
  clock.set(start);
  return [...tracked];
}
