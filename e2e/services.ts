import { expect } from "@playwright/test";
import postgres from "postgres";
import type { StandIns } from "@/test/stand-ins";
import { getDatabaseUrl } from "./product";

/** Deliveries are tried for 23 hours. */
const MAX_HOURS = 12;

/** Waits until Inngest knows the new product. */
export async function expectRegistered({ inngest }: StandIns): Promise<void> {
  await expect.poll(() => inngest.functions.length).toBeGreaterThan(0);
}

/** Requests today's run with an event. */
export async function requestRun({ inngest, variables }: StandIns): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const answer = await fetch(`${inngest.url}/e/${variables.INNGEST_EVENT_KEY}`, {
    method: "POST",
    body: JSON.stringify([{ name: "snapshot/run.requested", data: { day, scope: "open" } }]),
  });
  expect(answer.status).toBe(200);
}

/** Moves the data back an hour and fires the schedules that resume work after a crash. */
export async function simulateHour({ inngest }: StandIns, dataDir: string): Promise<void> {
  const sql = postgres(getDatabaseUrl(dataDir), { max: 1 });
  await sql`
    update deliveries
    set created_at = created_at - interval '1 hour', outcome_unknown_since = outcome_unknown_since - interval '1 hour',
        tried_at = tried_at - interval '1 hour'`;
  await sql`update snapshot_batches set touched_at = touched_at - interval '1 hour'`;
  await sql.end();
  for (const name of ["resume-day", "sweep-deliveries"]) inngest.engine.fireCron(`creator-growth-${name}`, new Date());
}

/** Waits for a condition. @returns false when Inngest has no work left first */
export async function waitUntil({ inngest }: StandIns, isDone: () => boolean): Promise<boolean> {
  let isIdle = false;
  void inngest.engine.idle().then(() => {
    isIdle = true;
  });
  await expect.poll(() => isDone() || isIdle, { intervals: [5], timeout: 240_000 }).toBe(true);
  return isDone();
}

/** Simulates hours, at least one, until the condition holds. */
export async function simulateHoursUntil(standIns: StandIns, dataDir: string, isDone: () => boolean): Promise<void> {
  const { engine } = standIns.inngest;
  await engine.idle();
  for (let hour = 0; hour === 0 || (hour < MAX_HOURS && !isDone()); hour++) {
    await simulateHour(standIns, dataDir);
    await engine.idle();
  }
}
