import { describe, expect, it } from "vitest";
import { sparklineShape } from "./sparkline-path";

const heights = (counts: (number | null)[]) =>
  [...(sparklineShape(counts)?.path.matchAll(/V([\d.]+)/g) ?? [])].map(([, height]) => Number(height));

describe("a sparkline", () => {
  it("draws the same percentage at the same height, whatever the counts", () => {
    expect(heights([1000, 1100])).toEqual(heights([4_000_000, 4_400_000]));
  });

  it("draws one step of the platform's rounding as nearly flat", () => {
    const zero = sparklineShape([11_700_000])?.zero ?? 0;
    const [height = 0] = heights([11_700_000, 11_800_000]);
    expect(zero - height).toBeLessThan(0.5);
  });

  it("knows whether the count rose, fell or stood still", () => {
    expect(sparklineShape([100, 120, 101])?.direction).toBe("up");
    expect(sparklineShape([100, 120, 99])?.direction).toBe("down");
    expect(sparklineShape([100, 120, 100])?.direction).toBe("flat");
  });

  it("leaves a gap for each missing day and a dot for a day alone", () => {
    const path = sparklineShape([100, 101, null, 102, null, 103, 104])?.path ?? "";
    expect(path.match(/M/g)).toHaveLength(3);
    expect(path.match(/h0/g)).toHaveLength(1);
  });

  it("marks the ends of the scale that the line leaves", () => {
    expect(sparklineShape([100, 139])?.beyond).toEqual([]);
    expect(sparklineShape([100, 200, 210])?.beyond).toEqual([{ x: 94, end: "top" }]);
    expect(sparklineShape([100, 80, 200])?.beyond.map(({ end }) => end)).toEqual(["top", "bottom"]);
  });

  it("is nothing without a known count or from zero", () => {
    expect(sparklineShape([])).toBeNull();
    expect(sparklineShape([null, null])).toBeNull();
    expect(sparklineShape([0, 5])).toBeNull();
  });
});
