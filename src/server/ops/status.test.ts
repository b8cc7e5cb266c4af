import { describe, expect, it } from "vitest";
import { addDays, HOUR, toDate } from "@/core/time";
import { snapshotBatches } from "@/db/schema";
import { holdBatch } from "@/features/snapshots/batches.service";
import { reportRun } from "@/features/snapshots/monitor.service";
import { planRun } from "@/features/snapshots/service";
import { useDailyRuns } from "@/test/daily-run";
import { send } from "@/test/request";
import { createKey } from "@/test/service";

describe("GET /api/status", () => {
  const runs = useDailyRuns();
  const { service } = runs;

  it("returns the daily runs with delay, duration and coverage, and the incidents, without a key", async () => {
    const key = await createKey(service);
    await runs.track(key.id, 1000);
    await runs.run(runs.day, "14:00");
    runs.setTime(runs.next, "06:45");
    await reportRun(service);
    await runs.run(runs.next, "06:50");
    const { status, body } = await send("/api/status");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "ok",
      run_overdue: false,
      next_run_at: `${addDays(runs.next, 1)}T06:00:00.000Z`,
      runs: [
        { day: runs.next, delay_seconds: 3000, coverage: 1 },
        { day: runs.day, started_at: `${runs.day}T14:00:00.000Z`, delay_seconds: 8 * 3600, coverage: 1 },
      ],
      incidents: [
        {
          day: runs.next,
          problem: `The daily run of ${runs.next} has not started. It was due at 06:00 UTC`,
          noted_at: `${runs.next}T06:45:00.000Z`,
        },
      ],
    });
    for (const { duration_seconds } of body.runs) expect(duration_seconds).toBeGreaterThanOrEqual(0);
  });

  it("reports a run as overdue while all its batches wait for the platform's quota", async () => {
    await runs.track((await createKey(service)).id, 1000);
    const day = addDays(runs.next, 1);
    runs.setTime(day, "06:00");
    const [batch = 0] = await planRun(service, { day, scope: "open", plans: 0 }, "planner");
    await holdBatch(service, day, batch, 18 * 3600);
    runs.setTime(day, "13:00");
    expect((await send("/api/status")).body).toMatchObject({
      run_overdue: true,
      runs: expect.arrayContaining([expect.objectContaining({ day, coverage: 0 })]),
    });
    expect((await send("/api/health")).body).toMatchObject({ run_overdue: true, coverage: 0 });
  });

  it("has a badge that needs no key", async () => {
    const { status, headers, text } = await send("/api/status/badge.svg");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(text).toContain("daily run: ");
  });

  it("omits runs and incidents older than 30 days", async () => {
    service.clock.set(toDate(service.clock.now().getTime() + 40 * 24 * HOUR));
    expect((await send("/api/status")).body).toMatchObject({ runs: [], incidents: [], run_overdue: true });
    expect(await service.db.$count(snapshotBatches)).toBeGreaterThan(0);
  });
});
