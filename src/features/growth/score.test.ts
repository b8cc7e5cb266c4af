import { describe, expect, it } from "vitest";
import { addDays, startOfDay } from "@/core/time";
import { alertLevel, scoreChannel } from "./score";

const TODAY = "2026-03-29";
const NO_TOTALS = { subscribers: null, views: null, videos: null };

/** Readings of the last 29 days ending today, growing by a constant factor a day. */
function history(factorPerDay: number, start = 100_000) {
  return Array.from({ length: 29 }, (_, index) => {
    const day = addDays(TODAY, index - 28);
    return { day, readAt: startOfDay(day), subscribers: Math.round(start * factorPerDay ** index) };
  });
}

describe("scoreChannel", () => {
  it("keeps normal and declining channels below 25", () => {
    for (const factor of [0.9, 0.99, 1, 1.001, 1.003])
      expect(scoreChannel(history(factor), TODAY, NO_TOTALS).value).toBeLessThan(25);
  });

  it("rises with growth, from 0 to 100, always whole", () => {
    const scores = [1, 1.005, 1.01, 1.02, 1.05, 1.1, 1.5].map(
      (factor) => scoreChannel(history(factor), TODAY, NO_TOTALS).value,
    );
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(scores.every(Number.isInteger)).toBe(true);
    expect(scores[0]).toBe(0);
    expect(scores.at(-1)).toBe(100);
  });

  it("reads nothing after the day it judges", () => {
    const readings = history(1.001);
    const future = { day: addDays(TODAY, 1), readAt: startOfDay(addDays(TODAY, 1)), subscribers: 90_000_000 };
    expect(scoreChannel([...readings, future], TODAY, NO_TOTALS)).toEqual(
      scoreChannel(readings, TODAY, NO_TOTALS),
    );
  });

  it("falls back on the channel's totals, says so, and stays below RISING", () => {
    const score = scoreChannel([], TODAY, { subscribers: 100, views: 9_000_000, videos: 3 });
    expect(score).toMatchObject({ basis: "profile", value: 49 });
    expect(scoreChannel([], TODAY, NO_TOTALS)).toMatchObject({ basis: "profile", value: 0 });
  });

  it("does without the windows that a hidden count or a gap leaves unknown", () => {
    const gap = history(1.02).filter(({ day }) => day !== addDays(TODAY, -7));
    const score = scoreChannel(gap, TODAY, NO_TOTALS);
    expect(score.parts.weekly_growth_7d).toBeNull();
    expect(score.basis).toBe("history");
  });
});

describe("alertLevel", () => {
  it.each([
    [100, "HIGH_GROWTH"],
    [75, "HIGH_GROWTH"],
    [74, "RISING"],
    [50, "RISING"],
    [49, "WATCH"],
    [25, "WATCH"],
    [24, "STABLE"],
    [0, "STABLE"],
  ])("calls a score of %i %s", (score, level) => expect(alertLevel(score)).toBe(level));
});
