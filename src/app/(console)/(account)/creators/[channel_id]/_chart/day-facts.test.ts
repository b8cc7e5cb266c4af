import { expect, it } from "vitest";
import { getDayFacts, getHighestCounts } from "./day-facts";

it("returns the count, its true range and the change from the day before", () => {
  expect(getDayFacts([119_000, 121_000], 1)).toEqual({
    count: "121,000",
    range: "121,000 to 121,999",
    change: { text: "+2,000 (+1.7%)", range: "+0.8% to +2.6%", direction: "up" },
  });
});

it("does not call a change certain when rounding alone can explain it", () => {
  expect(getDayFacts([120_000, 121_000], 1)?.change).toMatchObject({
    range: "0.0% to +1.7%",
    direction: "unsure",
  });
  expect(getDayFacts([120_000, 120_000], 1)?.change).toEqual({
    text: "0 (0.0%)",
    range: "−0.9% to +0.9%",
    direction: "unsure",
  });
});

it("has no range for exact counts, and no change across a gap", () => {
  expect(getDayFacts([999, 998], 1)).toMatchObject({ range: null, change: { range: null } });
  expect(getDayFacts([1, null, 3], 2)?.change).toBeNull();
  expect(getDayFacts([1, null, 3], 1)).toBeNull();
});

it("returns the highest possible true counts", () => {
  expect(getHighestCounts([999, 1230, null, 12_300_000])).toEqual([999, 1239, null, 12_399_999]);
});
