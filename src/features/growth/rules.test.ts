import { describe, expect, it } from "vitest";
import { HOUR, startOfDay, toDate } from "@/core/time";
import {
  computeGrowthBounds,
  computeGrowthPercent,
  computeGrowthWindows,
  computeOneDayGrowth,
  estimateCounts,
  formatPercent,
  formatSizeBand,
  isCurrent,
} from "./rules";

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
  ])("computes growth from %i to %i as %d %%, one decimal, rounded half up", (before, after, percent) => {
    expect(computeGrowthPercent(before, after)).toBe(percent);
  });

  it.each([
    [0, 100],
    [null, 100],
    [100, null],
  ])("returns null from %s to %s", (before, after) => expect(computeGrowthPercent(before, after)).toBeNull());

  it.each([
    [10_000, 10_996, 9.9],
    [10_000, 11_000, 10],
    [100_000, 110_004, 10],
    [10_000, 11_497, 14.9],
    [1_000_000_000, 1_149_999_999, 14.9],
    [10_000, 11_500, 15],
    [10_000, 12_496, 24.9],
    [10_000, 12_500, 25],
    [10_000, 14_999, 49.9],
    [10_000, 15_000, 50],
    [10_000, 11_996, 20],
  ])(
    "computes growth from %i to %i as %d percent, never rounded up to a severity threshold",
    (before, after, percent) => {
      expect(computeGrowthPercent(before, after)).toBe(percent);
    },
  );

  it("returns -100 % for a fall to zero", () => expect(computeGrowthPercent(10, 0)).toBe(-100));
});

describe("percent text", () => {
  it.each([
    [12.5, "12.5"],
    [0, "0.0"],
    [-0.4, "-0.4"],
    [999_900, "999,900.0"],
    [49_999_999_900, "49,999,999,900.0"],
  ])("writes %d as %s", (percent, text) => expect(formatPercent(percent)).toBe(text));
});

describe("one-day growth", () => {
  const baseline = { day: "2026-03-01", readAt: toDate("2026-03-01T06:00:00Z"), subscribers: 1000 };

  it("returns null for snapshots more than 36 hours apart", () => {
    const late = { day: "2026-03-02", readAt: toDate("2026-03-02T18:00:00Z"), subscribers: 1200 };
    expect(computeOneDayGrowth(baseline, late)).toBe(20);
    const tooLate = { ...late, readAt: toDate("2026-03-02T18:00:00.001Z") };
    expect(computeOneDayGrowth(baseline, tooLate)).toBeNull();
  });

  it("returns null without a snapshot of the day before", () => {
    expect(computeOneDayGrowth(undefined, baseline)).toBeNull();
  });
});

describe("isCurrent", () => {
  it.each([
    ["2026-03-10", "active", true],
    ["2026-03-10", "unavailable", true],
    ["2026-03-09", "active", true],
    ["2026-03-09", "unavailable", false],
    ["2026-03-08", "active", false],
  ] as const)("takes a snapshot of %s, %s, as current on 2026-03-10: %s", (latest, status, expected) => {
    expect(isCurrent(latest, status, "2026-03-10")).toBe(expected);
  });
});

describe("growthBounds", () => {
  it("returns the growth itself for exact counts", () => {
    expect(computeGrowthBounds(500, 600)).toEqual({ low: 20, high: 20 });
    expect(computeGrowthBounds(999, 992)).toEqual({ low: -0.7, high: -0.7 });
  });

  it("spans what rounding to three digits hides", () => {
    // 1,000 may be 1,009 and 1,110 may be 1,119.
    expect(computeGrowthBounds(1000, 1110)).toEqual({ low: 10, high: 11.9 });
    expect(computeGrowthBounds(123_000, 140_000)).toEqual({ low: 12.9, high: 14.7 });
  });

  it("contains the growth between any two true counts, rounded outwards and no wider", () => {
    const roundDown = (count: number) => {
      const step = count < 1000 ? 1 : 10 ** (String(count).length - 3);
      return count - (count % step);
    };
    for (const before of [1000, 1009, 9990, 9999, 10_000, 12_345, 999_999, 1_000_000, 4_567_890])
      for (const after of [before, before + 1, Math.floor(before * 1.1), Math.ceil(before * 1.337), before - 7]) {
        const { low, high } = computeGrowthBounds(roundDown(before), roundDown(after));
        const percent = (100 * (after - before)) / before;
        expect(low, `${before} ${after}`).toBeLessThanOrEqual(percent);
        expect(high, `${before} ${after}`).toBeGreaterThanOrEqual(percent);
      }
  });

  it("reaches both ends: the largest before with the smallest after, and the reverse", () => {
    // 9,990 may be 9,999; 10,000 may be 10,099.
    expect(computeGrowthBounds(9990, 10_000)).toEqual({ low: 0, high: 1.1 });
    expect(computeGrowthBounds(999, 1000)).toEqual({ low: 0.1, high: 1.1 });
    expect(computeGrowthBounds(1000, 999)).toEqual({ low: -1, high: -0.1 });
  });
});

describe("growthWindows", () => {
  const createSnapshot = (day: string, subscribers: number | null, hour = 6) => ({
    day,
    readAt: toDate(startOfDay(day).getTime() + hour * HOUR),
    subscribers,
  });
  const listPercents = (snapshots: Parameters<typeof computeGrowthWindows>[0]) =>
    computeGrowthWindows(snapshots).map(({ percent }) => percent);

  it("returns growth over 1, 7 and 28 days up to the latest snapshot, with its rounding range", () => {
    const snapshots = [
      createSnapshot("2026-03-10", 1110),
      createSnapshot("2026-03-09", 1000),
      createSnapshot("2026-03-03", 500),
      createSnapshot("2026-02-10", 370),
    ];
    for (const order of [snapshots, snapshots.toReversed()])
      expect(computeGrowthWindows(order)).toEqual([
        { days: 1, subscribers_before: 1000, subscribers_after: 1110, percent: 11, low: 10, high: 11.9 },
        { days: 7, subscribers_before: 500, subscribers_after: 1110, percent: 122, low: 122, high: 123.8 },
        { days: 28, subscribers_before: 370, subscribers_after: 1110, percent: 200, low: 200, high: 202.5 },
      ]);
  });

  it("returns null without a snapshot of the exact day, for hidden counts and from zero", () => {
    expect(listPercents([])).toEqual([null, null, null]);
    expect(listPercents([createSnapshot("2026-03-10", 500)])).toEqual([null, null, null]);
    expect(
      listPercents([
        createSnapshot("2026-03-10", 500),
        createSnapshot("2026-03-08", 400),
        createSnapshot("2026-03-02", 300),
      ]),
    ).toEqual([null, null, null]);
    expect(
      listPercents([
        createSnapshot("2026-03-10", null),
        createSnapshot("2026-03-09", 400),
        createSnapshot("2026-03-03", 300),
      ]),
    ).toEqual([null, null, null]);
    expect(
      listPercents([
        createSnapshot("2026-03-10", 500),
        createSnapshot("2026-03-09", 0),
        createSnapshot("2026-03-03", null),
      ]),
    ).toEqual([null, null, null]);
  });

  it("omits one-day growth when its snapshots are more than 36 hours apart", () => {
    const [day, week] = computeGrowthWindows([
      createSnapshot("2026-03-10", 600, 19),
      createSnapshot("2026-03-09", 500),
      createSnapshot("2026-03-03", 400),
    ]);
    expect(day).toMatchObject({ subscribers_before: null, percent: null, low: null });
    expect(week).toMatchObject({ subscribers_before: 400, percent: 50 });
  });
});

describe("likelyCounts", () => {
  it("returns exact counts unchanged and fills gaps evenly", () => {
    expect(estimateCounts([500, null, 504, 503])).toEqual([500, 502, 504, 503]);
  });

  it("returns null before the first known day and repeats the last count after it", () => {
    expect(estimateCounts([null, 7, 9, null])).toEqual([null, 7, 9, 9]);
    expect(estimateCounts([null, null])).toEqual([null, null]);
  });

  it("turns steps into a slope: a bound is reached half-way between the days around it", () => {
    const stairs = [1000, 1000, 1010, 1010, 1020, 1020];
    expect(estimateCounts(stairs)).toEqual([1002.5, 1007.5, 1012.5, 1017.5, 1022.5, 1027.5]);
  });

  it("stays flat where the shown count does, or only wavers over one bound", () => {
    expect(estimateCounts([1000, 1000, 1000])).toEqual([1000, 1000, 1000]);
    expect(estimateCounts([1000, 1010, 1000, 1010, 1000]).slice(1, 4)).toEqual([1010, 1010, 1010]);
  });

  it("stays within the shown counts at both edges", () => {
    const shown = [1000, 1000, 1000, 1000, 1200, 1300, 1300, 1300, 1300];
    const likely = estimateCounts(shown);
    for (const edge of [0, 1, 7, 8]) {
      expect(likely[edge]).toBeGreaterThanOrEqual(shown[edge] ?? 0);
      expect(likely[edge]).toBeLessThan((shown[edge] ?? 0) + 10);
    }
  });
});

describe("sizeBand", () => {
  it.each([
    [0, "under 1,000"],
    [999, "under 1,000"],
    [1000, "1,000 to 10,000"],
    [9999, "1,000 to 10,000"],
    [10_000, "10,000 to 100,000"],
    [999_999, "100,000 to 1,000,000"],
    [1_000_000, "1,000,000 and more"],
    [500_000_000, "1,000,000 and more"],
  ])("puts %i subscribers in the band %s", (subscribers, band) => expect(formatSizeBand(subscribers)).toBe(band));
});
