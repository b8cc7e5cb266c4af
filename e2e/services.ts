import { expect } from "@playwright/test";
import postgres from "postgres";
import type { StandIns } from "@/test/stand-ins";
import { databaseUrl } from "./product";

/** Deliveries are tried for 23 hours. */
const MOST_HOURS = 12;

/** Inngest knows the product that has just started. */
export async function expectRegistered({ inngest }: StandIns): Promise<void> {
  await expect.poll(() => inngest.functions.length, { timeout: 60_000 }).toBeGreaterThan(0);
}

/** Asks for today's collection by an event, as any other service of the operator's could. */
export async function requestRun({ inngest, variables }: StandIns): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const answer = await fetch(`${inngest.url}/e/${variables.INNGEST_EVENT_KEY}`, {
    method: "POST",
    body: JSON.stringify([{ name: "snapshot/run.requested", data: { day, scope: "open" } }]),
  });
  expect(answer.status).toBe(200);
}

/** Lives through an hour, in which Inngest's schedules have the product take up what crashes have left. */
export async function liveThroughAnHour({ inngest }: StandIns, dataDir: string): Promise<void> {
  const sql = postgres(databaseUrl(dataDir), { max: 1 });
  await sql`
    update deliveries
    set created_at = created_at - interval '1 hour', outcome_unknown_since = outcome_unknown_since - interval '1 hour',
        tried_at = tried_at - interval '1 hour'`;
  await sql`update snapshot_batches set touched_at = touched_at - interval '1 hour'`;
  await sql.end();
  for (const name of ["resume-day", "sweep-deliveries"])
    inngest.engine.fireCron(`creator-growth-${name}`, new Date());
}

/**
 * Waits until something has come about.
 * @returns whether it has; false when Inngest has nothing left to do, having given up what failed too often
 */
export async function hasComeAbout({ inngest }: StandIns, isSo: () => boolean): Promise<boolean> {
  let isIdle = false;
  void inngest.engine.idle().then(() => {
    isIdle = true;
  });
  await expect.poll(() => isSo() || isIdle, { intervals: [5], timeout: 240_000 }).toBe(true);
  return isSo();
}

/** Waits until Inngest has nothing left to do and lives through hours, one at least, until what crashes left is done. */
export async function liveUntil(standIns: StandIns, dataDir: string, isDone: () => boolean): Promise<void> {
  const { engine } = standIns.inngest;
  await engine.idle();
  for (let hour = 0; hour === 0 || (hour < MOST_HOURS && !isDone()); hour++) {
    await liveThroughAnHour(standIns, dataDir);
    await engine.idle();
  }
}
