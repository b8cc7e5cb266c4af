import { describe, expect, it } from "vitest";
import { buildCountRows, getNextIndex } from "./chart";

describe("count of a day", () => {
  it("has the count, its true range and the change from the day before", () => {
    expect(buildCountRows([119_000, 121_000], 1)).toEqual([
      { look: 0, value: "121,000 subscribers", detail: "true count 121,000 to 121,999" },
      {
        look: 0,
        value: "+2,000 (+1.7%) since the day before",
        detail: "true growth +0.8% to +2.6%",
        direction: "up",
      },
    ]);
  });

  it("does not call a change certain when rounding alone can explain it", () => {
    expect(buildCountRows([120_000, 121_000], 1)[1]).toMatchObject({
      detail: "true growth 0.0% to +1.7%",
      direction: "unsure",
    });
    expect(buildCountRows([120_000, 120_000], 1)[1]).toEqual({
      look: 0,
      value: "0 (0.0%) since the day before",
      detail: "true growth −0.9% to +0.9%",
      direction: "unsure",
    });
  });

  it("has no range for exact counts, and no change across a gap", () => {
    expect(buildCountRows([999, 998], 1)).toMatchObject([{ detail: null }, { detail: null }]);
    expect(buildCountRows([1, null, 3], 2)).toHaveLength(1);
    expect(buildCountRows([1, null, 3], 1)).toEqual([]);
  });
});

describe("cursor", () => {
  it("starts at the last day, and moves by days and weeks within the chart", () => {
    expect(getNextIndex("ArrowLeft", null, 29)).toBe(29);
    expect(["ArrowLeft", "ArrowRight", "PageUp", "PageDown"].map((key) => getNextIndex(key, 28, 29))).toEqual([
      27, 29, 21, 29,
    ]);
    expect(["ArrowLeft", "PageUp", "Home", "End"].map((key) => getNextIndex(key, 0, 29))).toEqual([0, 0, 0, 29]);
    expect(getNextIndex("Tab", 3, 29)).toBeNull();
  });
});
