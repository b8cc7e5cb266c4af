import { expect, it } from "vitest";
import { addDays } from "@/core/time";
import { getDailyViews, getUsualViews } from "./daily-views";

const makeDays = (totals: (number | null | undefined)[]) =>
  totals.map((views, index) => {
    const day = addDays("2026-03-01", index);
    return { day, snapshot: views === undefined ? null : { day, subscribers: 1, views, videos: 1 } };
  });

it("daily views are the differences of the totals, also negative ones, with gaps where a total is missing", () => {
  expect(getDailyViews(makeDays([100, 130, 120, null, 150, undefined, 200, 260]))).toEqual([
    null,
    30,
    -10,
    null,
    null,
    null,
    null,
    60,
  ]);
});

it("the usual day is the median of at least three days", () => {
  expect(getUsualViews([null, 5, 400, 7])).toBe(7);
  expect(getUsualViews([5, null, 7])).toBeNull();
});
