import { writeFile } from "node:fs/promises";
import type { Env } from "@/core/env";
import { createLogMonitoring } from "@/core/mail/monitoring";
import { createOutbox } from "@/core/mail/outbox";
import { addDays, ManualClock, systemClock, toUtcDay } from "@/core/time";
import { compareChannels } from "@/features/backtest/comparison.service";
import { trackUnread } from "@/features/creators/service";
import { fillMap } from "@/features/discovery/map.service";
import { readCandidates } from "@/features/discovery/niches.service";
import { recordSnapshots } from "@/features/growth/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { storePastSnapshots } from "@/features/snapshots/daily.service";
import { getRunTime } from "@/features/snapshots/rules";
import { getRunSummary } from "@/features/snapshots/service";
import { STAGED_CHANNELS } from "@/platform/sample";
import { getOutboxFolder, type ServiceContext } from "@/server/context";
import { createServiceContext } from "@/server/services";
import { DEMO_DAYS, type DemoDatabase, type DemoKey, getDemoFiles, getDemoStart } from "./demo";
import { chooseCreators, fillDemo, type PastDay, readPast } from "./demo-content";
import { simulateDays } from "./simulate";
import { NO_STEPS, type Steps } from "./steps";

/** The score has a record to grade every five days. */
const SCORED_EVERY = 5;
const HORIZON_DAYS = 7;
const DEMO_EMAIL = "you@example.com";

/**
 * Makes the demo's data: the key tracks creators of the sample platform through a simulated month of daily runs. Emails go
 * to the outbox and monitoring posts to the log. What was cut off continues.
 * @param steps gets the progress
 */
export async function makeDemoData(
  env: Env,
  { db, log }: DemoDatabase,
  { id, tier }: DemoKey,
  steps: Steps = NO_STEPS,
): Promise<void> {
  steps.begin(`Preparing ${DEMO_DAYS - 1} days of sample data…`);
  const clock = new ManualClock(getDemoStart());
  // Some of the sample's creators fail on purpose.
  const quiet = log.child({}, { level: "error" });
  const mailer = createOutbox(getOutboxFolder(env));
  const ctx = createServiceContext(env, { db, log: quiet, clock, mailer, monitoring: createLogMonitoring(quiet) });
  // The demo sends no real mail.
  if (env.email.kind === "outbox") await setAlertEmail(ctx, id, DEMO_EMAIL);
  const today = toUtcDay(systemClock.now());
  const days = Array.from({ length: DEMO_DAYS + 1 }, (_, index) => addDays(today, index - DEMO_DAYS));
  const past = await readPast(
    ctx.platform,
    clock,
    days.filter((day) => getRunTime(day) <= systemClock.now()),
  );
  const creators = await chooseCreators(ctx.platform, past);
  clock.set(getDemoStart());
  await trackUnread(ctx, id, [...new Set([creators.niche, STAGED_CHANNELS, creators.risers].flat())]);
  let done = 0;
  const advance = () => steps.progress(Math.min(1, ++done / (2 * past.length)));
  await simulateUpToNow(ctx, clock, advance);
  await measureMap(ctx, clock, past, advance);
  await fillDemo(ctx, clock, { id, tier }, creators);
  await writeFile(getDemoFiles(env).done, "");
}

/** Simulates from the first day without a finished run to the last one that is due. */
async function simulateUpToNow(ctx: ServiceContext, clock: ManualClock, onDay: () => void): Promise<void> {
  const last = await getRunSummary(ctx);
  const resume = last && (last.finished_at ? addDays(last.day, 1) : last.day);
  const now = systemClock.now();
  const today = toUtcDay(now);
  const to = now < getRunTime(today) ? addDays(today, -1) : today;
  await simulateDays(ctx, { clock, from: resume ?? toUtcDay(clock.now()), to, onDay });
}

/** Gives the creators of the map their past and the score its record, so that both are whole from the start. */
async function measureMap(ctx: ServiceContext, clock: ManualClock, past: readonly PastDay[], onDay: () => void) {
  const [before, last] = [past.slice(0, -1), past.at(-1)];
  for (const [index, { at, day, stats }] of before.entries()) {
    clock.set(at);
    // The first makes the channels.
    const isScored = index === 0 || (DEMO_DAYS - index) % SCORED_EVERY === 2;
    if (isScored) await recordSnapshots(ctx, day, "track", stats);
    else await storePastSnapshots(ctx, stats);
    onDay();
  }
  clock.set(last?.at ?? clock.now());
  await fillMap(ctx);
  while ((await readCandidates(ctx)) > 0);
  for (const { at, day } of past.slice(HORIZON_DAYS)) {
    clock.set(at);
    await compareChannels(ctx, day, true);
  }
}
