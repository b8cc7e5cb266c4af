import { expect, it } from "vitest";
import { buildForecast } from "./chart-model";

const days = ["2026-03-09", "2026-03-10"];
const alert = { day: "2026-03-06", subscribers_before: 500, subscribers_after: 600 };

it("forecast has the expected counts in 7 days", () => {
  expect(buildForecast(days, 1000, { low: -1, high: 12.5 }, [])).toEqual({
    range: { low: 990, high: 1125 },
    held: null,
  });
});

it("forecast marks the count that the latest alert needs on the day of its grade", () => {
  expect(buildForecast(days, 640, null, [alert])).toEqual({
    range: null,
    held: { index: 4, day: "2026-03-13", count: 650, label: "held at 650" },
  });
});

it("forecast has no mark for an alert that is graded already", () => {
  expect(buildForecast(days, 640, null, [{ ...alert, day: "2026-03-03" }])).toBeNull();
});

it("there is no forecast without a count of the last day", () => {
  expect(buildForecast(days, null, { low: 0, high: 1 }, [alert])).toBeNull();
});
