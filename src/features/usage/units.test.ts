import { beforeEach, describe, expect, it } from "vitest";
import { HOUR, MINUTE, toDate } from "@/core/time";
import { dailyAllowances } from "@/db/schema";
import { useService } from "@/test/service";
import { createLedger, type UnitLimits } from "./units.service";

const LIMITS: UnitLimits = { search: 3, general: 20 };

describe("ledger of platform units", () => {
  const service = useService();
  let needed: number;
  let reserveCalls: string[];

  beforeEach(async () => {
    service.clock.set("2026-07-10T12:00:00Z");
    await service.db.delete(dailyAllowances);
    needed = 0;
    reserveCalls = [];
  });

  const createTestLedger = (limits = LIMITS) =>
    createLedger(service, {
      limits,
      reserve: async (until) => {
        reserveCalls.push(until.toISOString());
        return needed;
      },
    });
  const getUsed = async () => (await createTestLedger().listSpentUnits()).map((each) => each.used);

  it("grants exactly 20 of 50 concurrent requests for a unit when the limit is 20", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => createTestLedger().spend("general", "run")));
    expect(answers.filter((refusal) => refusal === null)).toHaveLength(20);
    expect(await getUsed()).toEqual([0, 20]);
  });

  it("reserves exactly the units of the daily run against 50 concurrent spare calls", async () => {
    needed = 6;
    const answers = await Promise.all(Array.from({ length: 50 }, () => createTestLedger().spend("general", "spare")));
    expect(answers.filter((refusal) => refusal === null)).toHaveLength(14);
    expect(answers.find((refusal) => refusal !== null)).toMatchObject({ reason: "reserved" });
    expect(await createTestLedger().spend("general", "run")).toBeNull();
    expect(await getUsed()).toEqual([0, 15]);
  });

  it("grants no spare call while the daily run needs all units", async () => {
    needed = 20;
    expect(await createTestLedger().spend("general", "spare")).toMatchObject({ reason: "reserved" });
    expect(await getUsed()).toEqual([0, 0]);
  });

  it("reserves general units for the runs due before the platform's day ends, but no searches", async () => {
    needed = 1;
    await createTestLedger().spend("general", "spare");
    service.clock.set("2026-12-10T12:00:00Z");
    await createTestLedger().spend("general", "spare");
    expect(reserveCalls).toEqual(["2026-07-11T07:00:00.000Z", "2026-12-11T08:00:00.000Z"]);
    for (const limit of [1, 2, 3])
      expect([limit, await createTestLedger().spend("search", "spare")]).toEqual([limit, null]);
    expect(reserveCalls).toHaveLength(2);
  });

  it("counts each bucket separately", async () => {
    for (let call = 0; call < 4; call++) await createTestLedger().spend("search", "run");
    expect(await createTestLedger().spend("search", "run")).toEqual({
      reason: "spent",
      retryAfter: 19 * 3600,
    });
    expect(await createTestLedger().spend("general", "run")).toBeNull();
    expect(await getUsed()).toEqual([3, 1]);
  });

  it.each([
    ["summer", "2026-07-11T07:00:00.000Z"],
    ["winter", "2026-12-11T08:00:00.000Z"],
    ["the day the clocks go forward", "2026-03-09T07:00:00.000Z"],
    ["the day the clocks go back", "2026-11-02T08:00:00.000Z"],
  ])("starts a new count at midnight in Los Angeles, to the millisecond: %s", async (_, midnight) => {
    const small = createTestLedger({ ...LIMITS, general: 1 });
    service.clock.set(toDate(toDate(midnight).getTime() - 1));
    expect(await small.spend("general", "run")).toBeNull();
    expect(await small.spend("general", "run")).toEqual({ reason: "spent", retryAfter: 1 });
    service.clock.set(midnight);
    expect(await small.spend("general", "run")).toBeNull();
  });

  it("refuses until midnight after the platform reports a bucket as used up", async () => {
    await createTestLedger().spend("general", "run");
    expect(await createTestLedger().markExhausted("general")).toBe(19 * 3600);
    expect(await createTestLedger().spend("general", "run")).toEqual({
      reason: "spent",
      retryAfter: 19 * 3600,
    });
    expect(await createTestLedger().listSpentUnits()).toEqual([
      { bucket: "search", used: 0, limit: 3, exhausted: false, resets_at: "2026-07-11T07:00:00.000Z" },
      { bucket: "general", used: 1, limit: 20, exhausted: true, resets_at: "2026-07-11T07:00:00.000Z" },
    ]);
    expect(await createTestLedger().spend("search", "run")).toBeNull();
    service.clock.set("2026-07-11T07:00:00Z");
    expect(await createTestLedger().spend("general", "run")).toBeNull();
  });

  it("refuses for only 15 minutes when the platform reports it right after midnight", async () => {
    service.clock.set("2026-07-11T07:00:01Z");
    expect(await createTestLedger().markExhausted("general")).toBe(15 * 60 - 1);
    service.clock.advance(15 * MINUTE - 1001);
    expect(await createTestLedger().spend("general", "run")).toEqual({ reason: "spent", retryAfter: 1 });
    service.clock.advance(1);
    expect(await createTestLedger().spend("general", "run")).toBeNull();
    service.clock.advance(HOUR);
    expect(await createTestLedger().markExhausted("general")).toBeGreaterThan(22 * 3600);
  });

  it("keeps the day's count when the limit changes", async () => {
    for (let call = 0; call < 20; call++) await createTestLedger().spend("general", "run");
    expect(await createTestLedger().spend("general", "run")).toMatchObject({ reason: "spent" });
    expect(await createTestLedger({ ...LIMITS, general: 21 }).spend("general", "run")).toBeNull();
  });
});
