import { expect, it } from "vitest";
import { listSnapshotDays } from "./snapshot-days";

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
