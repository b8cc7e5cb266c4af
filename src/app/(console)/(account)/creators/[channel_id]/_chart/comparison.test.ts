import { describe, expect, it } from "vitest";
import { compare, getCounts, getCountsBefore } from "./chart-model";

const makeSnapshot = (day: string, subscribers: number | null) => ({ day, subscribers, views: 1, videos: 1 });

describe("lines on one scale", () => {
  it("start at zero percent on the first day that all of them have", () => {
    const { base, percents } = compare([
      [100, 110, 121, 132],
      [null, 5000, null, 4000],
    ]);
    expect(base).toBe(1);
    expect(percents.map((line) => line.map((percent) => percent && Math.round(percent * 10) / 10))).toEqual([
      [null, 0, 10, 20],
      [null, 0, null, -20],
    ]);
  });

  it("have no percentage without a common day, or when they start at zero", () => {
    expect(
      compare([
        [1, null],
        [null, 1],
      ]).base,
    ).toBeNull();
    expect(
      compare([
        [0, 2, 4],
        [1, 1, 1],
      ]),
    ).toMatchObject({
      base: 1,
      percents: [
        [null, 0, 100],
        [null, 0, 0],
      ],
    });
  });
});

describe("counts of a line", () => {
  const days = ["2026-03-09", "2026-03-10"];

  it("cover the charted days, with a gap for a hidden count", () => {
    const snapshots = [makeSnapshot("2026-03-01", 1), makeSnapshot("2026-03-09", null), makeSnapshot("2026-03-10", 7)];
    expect(getCounts(days, snapshots)).toEqual([null, 7]);
  });

  it("cover as many days before, where they are kept", () => {
    const snapshots = [makeSnapshot("2026-03-07", 3), makeSnapshot("2026-03-08", 4), makeSnapshot("2026-03-09", 5)];
    expect(getCountsBefore(days, snapshots)).toEqual([3, 4]);
    expect(getCountsBefore(days, snapshots.slice(1))).toBeNull();
  });
});
