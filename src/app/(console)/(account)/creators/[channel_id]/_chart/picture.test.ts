import { describe, expect, it } from "vitest";
import { buildPictureName, getPictureSize } from "./picture";

describe("chart picture", () => {
  it("has two pixels for each pixel of the chart, and room for its texts", () => {
    const size = getPictureSize(800.4, 340);
    expect(size).toEqual({ width: 885, height: 456, chart: { x: 24, y: 68 }, scale: 2 });
    expect(size.chart.y + 340).toBeLessThan(size.height);
  });

  it("never exceeds the size that a browser draws", () => {
    const { width, height, scale } = getPictureSize(6000, 340);
    expect(Math.max(width, height) * scale).toBeLessThanOrEqual(8192);
  });

  it.each([
    ["@sprocket.owl", "sprocket.owl-views-2026-03-10.png"],
    ["@夜更かし", "夜更かし-views-2026-03-10.png"],
    ["@a/b\\c:d", "a-b-c-d-views-2026-03-10.png"],
    [null, "UC0-views-2026-03-10.png"],
  ])("saves the picture of %s as %s", (handle, name) => {
    expect(buildPictureName({ handle, channel_id: "UC0" }, "views", "2026-03-10")).toBe(name);
  });
});
