import { expect, it } from "vitest";
import { measureTrend } from "./result-table";

const TREND = [100, null, 110, 121, null, null];

it("measures growth up to the latest count of a trend, with the range that rounding allows", () => {
  expect(measureTrend(TREND, 1)).toMatchObject({ percent: 10, low: 10, high: 10 });
  expect(measureTrend(TREND, 3)).toMatchObject({ percent: 21, low: 21, high: 21 });
  expect(measureTrend([10_000, 11_000], 1)).toMatchObject({ percent: 10, low: 8.9, high: 11 });
});

it("returns null without a count at the start of the window, or without any count", () => {
  expect([measureTrend(TREND, 2), measureTrend(TREND, 7), measureTrend([null], 1)]).toEqual([null, null, null]);
});
