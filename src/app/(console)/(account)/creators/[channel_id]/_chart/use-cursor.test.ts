import { expect, it } from "vitest";
import { getNextIndex } from "./chart";

it("starts at the last day, and moves by days and weeks within the chart", () => {
  expect(getNextIndex("ArrowLeft", null, 29)).toBe(29);
  expect(["ArrowLeft", "ArrowRight", "PageUp", "PageDown"].map((key) => getNextIndex(key, 28, 29))).toEqual([
    27, 29, 21, 29,
  ]);
  expect(["ArrowLeft", "PageUp", "Home", "End"].map((key) => getNextIndex(key, 0, 29))).toEqual([0, 0, 0, 29]);
  expect(getNextIndex("Tab", 3, 29)).toBeNull();
});
