import { describe, expect, it } from "vitest";
import { instant } from "@/core/time";
import { growthBounds, growthPercent, oneDayGrowthPercent } from "./rules";

describe("growthPercent", () => {
  it.each([
    [1000, 1125, 12.5],
    [1000, 1000, 0],
    [1000, 900, -10],
    [3, 4, 33.3],
    [2000, 2001, 0.1],
    [4000, 4001, 0],
    [8000, 8004, 0.1],
    [8000, 7996, 0],
    [8000, 7995, -0.1],
    [1, 500_000_000, 49_999_999_900],
  ])("from %i to %i is %d %%, one decimal, rounded half up", (before, after, percent) => {
    expect(growthPercent(before, after)).toBe(percent);
  });

  it.each([
    [0, 100],
    [null, 100],
    [100, null],
  ])("from %s to %s is unknown", (before, after) => expect(growthPercent(before, after)).toBeNull());

  it("to zero is -100 %", () => expect(growthPercent(10, 0)).toBe(-100));
});

describe("oneDayGrowthPercent", () => {
  const baseline = { day: "2026-03-01", readAt: instant("2026-03-01T06:00:00Z"), subscribers: 1000 };

  it("needs readings at most 36 hours apart", () => {
    const late = { day: "2026-03-02", readAt: instant("2026-03-02T18:00:00Z"), subscribers: 1200 };
    expect(oneDayGrowthPercent(baseline, late)).toBe(20);
    const tooLate = { ...late, readAt: instant("2026-03-02T18:00:00.001Z") };
    expect(oneDayGrowthPercent(baseline, tooLate)).toBeNull();
  });

  it("is unknown without a reading of the day before", () => {
    expect(oneDayGrowthPercent(undefined, baseline)).toBeNull();
  });
});

describe("growthBounds", () => {
  it("are the growth itself where counts are exact", () => {
    expect(growthBounds(500, 600)).toEqual({ low: 20, high: 20 });
  });

  it("span what rounding to three figures hides", () => {
    // 1,000 may be 1,009 and 1,110 may be 1,119.
    expect(growthBounds(1000, 1110)).toEqual({ low: 10, high: 11.9 });
    expect(growthBounds(123_000, 140_000)).toEqual({ low: 12.9, high: 14.7 });
  });
});
