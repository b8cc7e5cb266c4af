import { expect, it } from "vitest";
import { addDays } from "@/core/time";
import { getDailyViews, getUsualViews, getViewsADay } from "./daily-views";

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

it("views a day are the mean of the last 7 days, beside up to 28 days before them", () => {
  const history = Array.from({ length: 12 }, (_, index) => ({
    day: addDays("2026-03-01", index),
    subscribers: 1,
    views: index <= 4 ? 10 * index : 40 + 100 * (index - 4),
    videos: 1,
  }));
  expect(getViewsADay(history)).toEqual({ views: 100, days: 7, before: { views: 10, days: 4 } });
  expect(getViewsADay(history.slice(0, 3))).toEqual({ views: 10, days: 2, before: null });
  expect(getViewsADay(history.slice(0, 1))).toBeNull();
});
