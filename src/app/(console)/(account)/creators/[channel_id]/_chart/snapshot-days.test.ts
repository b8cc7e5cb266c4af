import { describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { getShownDays, listSnapshotDays } from "./snapshot-days";

const makeSnapshot = (day: string) => ({ day, subscribers: 1, views: 2, videos: 3 });
const listShownDays = (days: string[], count: number, today: string) =>
  listSnapshotDays(days.map(makeSnapshot), count, today).map(({ day, snapshot }) => (snapshot ? day : `no ${day}`));

it("shows the last days, none of them left out", () => {
  const days = ["2026-02-25", "2026-02-26", "2026-03-01", "2026-03-02"];
  expect(listShownDays(days, 4, "2026-03-02")).toEqual(["no 2026-02-27", "no 2026-02-28", "2026-03-01", "2026-03-02"]);
});

it("begins with the first reading", () => {
  expect(listShownDays(["2026-03-02"], 30, "2026-03-02")).toEqual(["2026-03-02"]);
  expect(listShownDays([], 30, "2026-03-02")).toEqual([]);
});

it("does not call today missed before it is read, but what was missed before", () => {
  expect(listShownDays(["2026-03-01"], 7, "2026-03-02")).toEqual(["2026-03-01"]);
  expect(listShownDays(["2026-03-01"], 7, "2026-03-03")).toEqual(["2026-03-01", "no 2026-03-02", "no 2026-03-03"]);
});

const TODAY = "2026-03-10";
const makeHistory = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    day: addDays(TODAY, index - count + 1),
    subscribers: 1,
    views: 1,
    videos: 1,
  }));

describe("charted days", () => {
  it("are offered only as far as snapshots are kept", () => {
    const listOffered = (count: number) =>
      getShownDays(makeHistory(count), "30", TODAY).spans.map(({ value }) => value);
    expect([3, 14, 30, 31, 91].map(listOffered)).toEqual([
      ["all"],
      ["7", "14"],
      ["7", "14", "30"],
      ["7", "14", "30", "all"],
      ["7", "14", "30", "90", "all"],
    ]);
  });

  it("are all that are kept where the wanted period is longer", () => {
    expect(getShownDays(makeHistory(12), "30", TODAY)).toMatchObject({ span: "all", days: { length: 12 } });
  });
});
