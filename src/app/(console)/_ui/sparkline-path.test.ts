import { describe, expect, it } from "vitest";
import { buildSparklineShape } from "./sparkline-path";

const listHeights = (counts: (number | null)[]) =>
  [...(buildSparklineShape(counts)?.path.matchAll(/V([\d.]+)/g) ?? [])].map(([, height]) => Number(height));

describe("sparkline", () => {
  it("draws the same percentage at the same height, whatever the counts", () => {
    expect(listHeights([1000, 1100])).toEqual(listHeights([4_000_000, 4_400_000]));
  });

  it("draws one step of the platform's rounding as nearly flat", () => {
    const zero = buildSparklineShape([11_700_000])?.zero ?? 0;
    const [height = 0] = listHeights([11_700_000, 11_800_000]);
    expect(zero - height).toBeLessThan(0.5);
  });

  it("returns the direction up, down or flat", () => {
    expect(buildSparklineShape([100, 120, 101])?.direction).toBe("up");
    expect(buildSparklineShape([100, 120, 99])?.direction).toBe("down");
    expect(buildSparklineShape([100, 120, 100])?.direction).toBe("flat");
  });

  it("leaves a gap for each missing day and draws a dot for a single day", () => {
    const path = buildSparklineShape([100, 101, null, 102, null, 103, 104])?.path ?? "";
    expect(path.match(/M/g)).toHaveLength(3);
    expect(path.match(/h0/g)).toHaveLength(1);
  });

  it("marks the ends of the scale where the line leaves it", () => {
    expect(buildSparklineShape([100, 139])?.beyond).toEqual([]);
    expect(buildSparklineShape([100, 200, 210])?.beyond).toEqual([{ x: 94, end: "top" }]);
    expect(buildSparklineShape([100, 80, 200])?.beyond.map(({ end }) => end)).toEqual(["top", "bottom"]);
  });

  it("is empty without a known count or when it starts at zero", () => {
    expect(buildSparklineShape([])).toBeNull();
    expect(buildSparklineShape([null, null])).toBeNull();
    expect(buildSparklineShape([0, 5])).toBeNull();
  });
});
