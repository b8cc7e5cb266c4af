import { describe, expect, it } from "vitest";
import { toDate } from "@/core/time";
import { computeExpectedTime, computeFirstDay, computeNextTurn, planQueue, type Waiting } from "./queue.rules";

const PER_DAY = { free: 2, pro: 10 };

/** The queue after keys searched niches in this order: `free1:a` is a search for a by free1. */
function buildQueue(requests: string, leftToday = 0): Waiting[] {
  const waiting: Waiting[] = [];
  for (const [second, request] of requests.split(" ").entries()) {
    const [keyId = "", niche = ""] = request.split(":");
    const perDay = keyId.startsWith("free") ? PER_DAY.free : PER_DAY.pro;
    const queuedAt = toDate(1000 * second);
    waiting.push({
      keyId,
      niche,
      queuedAt,
      perDay,
      leftToday,
      turn: computeNextTurn(waiting, keyId, perDay),
    });
  }
  return waiting;
}

const buildPlan = (waiting: Waiting[], from = 0, leftToday = 30) =>
  planQueue(waiting, from, leftToday).map(({ row, day }) => `${day}${row.niche}`);

describe("niche queue", () => {
  it("gives each key its daily allowance, the oldest niche first", () => {
    expect(buildPlan(buildQueue("free:a free:b free:c free:d free:e"))).toEqual(["1a", "1b", "2c", "2d", "3e"]);
    expect(buildPlan(buildQueue("free:a free:b free:c", 1))).toEqual(["0a", "1b", "1c"]);
  });

  it("plans another key's niches on the first day despite one key's long list", () => {
    const long = Array.from({ length: 100 }, (_, number) => `pro:p${number}`).join(" ");
    const plan = planQueue(buildQueue(`${long} free:a free:b free:c`), 0, 30);
    const day = (niche: string) => plan.find(({ row }) => row.niche === niche)?.day;
    expect(["p0", "p9", "p10", "p99", "a", "b", "c"].map(day)).toEqual([1, 1, 2, 10, 1, 1, 2]);
  });

  it("keeps the turns of waiting keys when others have been served", () => {
    const many = Array.from({ length: 30 }, (_, key) => `free${key}:n${key}`).join(" ");
    const waiting = buildQueue(`pro:a pro:b ${many} ${"cdefghijkl".replace(/./g, (niche) => ` pro:${niche}`).trim()}`);
    const first = planQueue(waiting, 0, 30).filter(({ day }) => day === 1);
    const served = new Set(first.map(({ row }) => row));
    const later = buildPlan(waiting.filter((row) => !served.has(row)));
    expect(later.slice(0, 3)).toEqual(["1n28", "1n29", "1c"]);
  });

  it("searches 30 niches a day for all keys together", () => {
    const waiting = buildQueue(Array.from({ length: 70 }, (_, key) => `free${key}:n${key}`).join(" "), 2);
    const days = planQueue(waiting, 0, 5).map(({ day }) => day);
    expect([0, 1, 2, 3].map((wanted) => days.filter((day) => day === wanted).length)).toEqual([5, 30, 30, 5]);
  });

  it("searches a niche once, for the first key that waits for it", () => {
    expect(buildPlan(buildQueue("free1:a free2:a free2:b free2:c"))).toEqual(["1a", "1b", "1c"]);
  });

  it("plans from the day the platform has searches again, for at most 30 days", () => {
    expect(buildPlan(buildQueue("free:a free:b free:c", 2), 1)).toEqual(["1a", "1b", "2c"]);
    const long = Array.from({ length: 70 }, (_, number) => `free:n${number}`).join(" ");
    expect(buildPlan(buildQueue(long))).toHaveLength(60);
  });

  it.each([
    ["12:00", 0, null, "2026-03-10T12:30"],
    ["12:20", 0, null, "2026-03-10T12:30"],
    ["12:21", 0, null, "2026-03-10T13:30"],
    ["12:00", 1, null, "2026-03-11T00:30"],
    ["12:00", 1, "2026-03-11T07:00Z", "2026-03-11T07:30"],
    ["12:00", 2, "2026-03-11T07:00Z", "2026-03-12T00:30"],
  ])("computes at %s when a niche of day %i is ready, with searches from %s: %s", (time, day, reset, expected) => {
    const now = toDate(`2026-03-10T${time}:00.000Z`);
    const earliest = reset ? toDate(reset) : null;
    expect(computeExpectedTime(day, now, earliest).toISOString()).toBe(`${expected}:00.000Z`);
    expect(computeFirstDay(earliest, "2026-03-10")).toBe(reset ? 1 : 0);
  });
});
