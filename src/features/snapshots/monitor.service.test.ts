import { beforeEach, describe, expect, it, vi } from "vitest";
import { DestinationError } from "@/core/mail/destination";
import { addDays } from "@/core/time";
import { apiKeys, runNotices, snapshotRuns } from "@/db/schema";
import { PlatformError } from "@/platform/port";
import { useDailyRuns } from "@/test/daily-run";
import { createKey } from "@/test/service";
import { reportRun } from "./monitor.service";
import { describeProblem, isRunOverdue } from "./rules";
import type { RunSummary } from "./schema";
import { getRunSummary, planRun } from "./service";

const DAY = "2026-03-10";
const toTime = (time: string) => new Date(`${DAY}T${time}Z`);
const FINISHED: RunSummary = {
  day: DAY,
  started_at: `${DAY}T06:00:00.000Z`,
  finished_at: `${DAY}T06:02:00.000Z`,
  planned: 1240,
  read: 1236,
  unavailable: 4,
  failed: 0,
  alerts: 9,
};
const OPEN = { ...FINISHED, finished_at: null, read: 100, unavailable: 0 };
const FAILED = { ...FINISHED, read: 0, unavailable: 0, failed: 1240 };
const INCOMPLETE = { ...FINISHED, read: 1186, failed: 50 };

describe("problem of a daily run", () => {
  it.each([
    ["before it is due", null, "05:59", null],
    ["a little late to start", null, "06:29", null],
    ["that has not started", null, "06:30", /has not started\. It was due at 06:00 UTC$/],
    ["running", OPEN, "08:59", null],
    ["running for hours", OPEN, "09:00", /is late: 100 of 1,240 channels read so far$/],
    ["that is complete", FINISHED, "23:59", null],
    ["with failures that are retried", INCOMPLETE, "06:59", null],
    ["with failures that remain", INCOMPLETE, "07:00", /could not read 50 of 1,240 channels \(coverage 96\.0%\)$/],
    ["without any reading", FAILED, "07:00", /failed: it could not read any of 1,240 channels$/],
    ["of a day without tracked creators", { ...FINISHED, planned: 0, read: 0 }, "12:00", null],
  ])("reports the expected problem, or none, for a run %s", (_what, run, time, expected) => {
    const problem = describeProblem(DAY, run, toTime(time));
    if (expected) expect(problem).toMatch(expected);
    else expect(problem).toBeNull();
  });
});

describe("overdue run", () => {
  const COVERED = { ...INCOMPLETE, read: 1178 };
  const UNCOVERED = { ...INCOMPLETE, read: 1177, unavailable: 0, failed: 63 };
  it.each([
    ["no run before it is due", null, "05:59", false],
    ["no run once it is due", null, "06:00", true],
    ["only the run of the day before", { ...FINISHED, day: addDays(DAY, -1) }, "06:00", true],
    ["a run that is complete", FINISHED, "23:59", false],
    ["a young run", { ...OPEN, read: 0 }, "06:29", false],
    ["a run that waits for the platform's quota", { ...OPEN, read: 0 }, "13:00", true],
    ["a run that failed", FAILED, "06:30", true],
    ["a run with 95% of its channels", COVERED, "06:30", false],
    ["a run with less", UNCOVERED, "06:30", true],
    ["a run without tracked creators", { ...FINISHED, planned: 0, read: 0, unavailable: 0 }, "12:00", false],
  ])("is reported or not with %s", (_what, run, time, expected) => {
    expect(isRunOverdue(run, toTime(time))).toBe(expected);
  });
});

describe("operator notices", () => {
  const runs = useDailyRuns();
  const reportRunAt = async (time: string) => {
    runs.setTime(runs.next, time);
    runs.service.engine.fireCron("creator-growth-watch-run", runs.service.clock.now());
    await runs.service.drain();
  };

  beforeEach(async () => {
    await runs.service.db.delete(apiKeys);
    await runs.service.db.delete(snapshotRuns);
    await runs.service.db.delete(runNotices);
    runs.channel.notices.length = 0;
  });

  it("sends one notice of a run when two processes check at the same time", async () => {
    runs.setTime(runs.next, "06:30");
    await Promise.all([1, 2].map(() => reportRun(runs.service)));
    expect(runs.channel.notices).toHaveLength(1);
  });

  it("sends one notice of a missed run, and none of a run that started", async () => {
    await runs.run(runs.next);
    await reportRunAt("06:30");
    expect(runs.channel.notices).toEqual([]);
    await runs.service.db.delete(snapshotRuns);
    await reportRunAt("07:00");
    await reportRunAt("07:30");
    expect(runs.channel.notices).toEqual([expect.stringContaining(`The daily run of ${runs.next} has not started`)]);
  });

  it("sends a notice of a run whose channels still fail after the retries", async () => {
    const key = await createKey(runs.service);
    await runs.track(key.id, 1000);
    runs.platform.failures = Array.from({ length: 20 }, () => new PlatformError("unavailable", "it is down"));
    await runs.run(runs.next);
    await reportRunAt("06:30");
    expect(runs.channel.notices).toEqual([]);
    await reportRunAt("07:30");
    expect(runs.channel.notices).toEqual([expect.stringContaining("failed: it could not read any of 1 channels")]);
  });

  it("sends one notice at once when the platform refuses the service's key", async () => {
    const key = await createKey(runs.service);
    await runs.track(key.id, 1000);
    runs.platform.failures = [1, 2].map(() => new PlatformError("forbidden", "API key AIza is suspended"));
    await runs.run(runs.next);
    expect(runs.channel.notices).toEqual([
      expect.stringContaining(
        `The daily run of ${runs.next} cannot go on: the video platform refuses the service's key`,
      ),
    ]);
    expect(runs.channel.notices.join()).not.toContain("AIza");
  });

  it("logs when a run starts and finishes, with counts and duration", async () => {
    const lines = vi.spyOn(runs.service.log, "info");
    const key = await createKey(runs.service);
    await runs.track(key.id, 1000);
    runs.platform.hide(await runs.track(key.id, 1000), runs.next);
    await runs.run(runs.next);
    const logged = lines.mock.calls.filter(([, message]) => String(message).startsWith("daily run"));
    const counts = { planned: 2, read: 1, unavailable: 1, failed: 0, alerts: 0, seconds: expect.any(Number) };
    expect(logged).toEqual([
      [{ day: runs.next, batches: 1 }, "daily run started"],
      [{ day: runs.next, ...counts }, "daily run finished"],
    ]);
    lines.mockRestore();
  });

  it("sends a notice of a run still open when its day ended, and finishes the run", async () => {
    const { service } = runs;
    const key = await createKey(service);
    await runs.track(key.id, 1000);
    runs.setTime(runs.next, "06:00");
    await planRun(service, { day: runs.next, scope: "open", plans: 0 }, "planner");
    const after = addDays(runs.next, 1);
    for (const time of ["00:29", "00:30", "01:00"]) {
      runs.setTime(after, time);
      await reportRun(service);
      const run = await getRunSummary(service, runs.next);
      const isOver = time !== "00:29";
      expect([run?.failed, run?.finished_at !== null]).toEqual([isOver ? 1 : 0, isOver]);
    }
    expect(runs.channel.notices).toEqual([
      expect.stringMatching(/run of 2\S+ failed: it could not read any of 1 channels\. The day is over/),
    ]);
  });

  it("sends a refused notice again until it is accepted", async () => {
    const createOutage = () => new DestinationError("the monitoring channel answered 503");
    runs.channel.failures.push(createOutage(), createOutage());
    await reportRunAt("06:30");
    expect(runs.channel.notices).toEqual([]);
    await reportRunAt("07:00");
    expect(runs.channel.notices).toHaveLength(1);
  });
});
