import { describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { getShownDays } from "./snapshot-days";

const TODAY = "2026-03-10";
const makeHistory = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    day: addDays(TODAY, index - count + 1),
    subscribers: 1,
    views: 1,
    videos: 1,
  }));

describe("charted days", () => {
  it("are offered only as far as snapshots are kept", () => {
    const listOffered = (count: number) =>
      getShownDays(makeHistory(count), "30", TODAY).spans.map(({ value }) => value);
    expect([3, 14, 30, 31, 91].map(listOffered)).toEqual([
      ["all"],
      ["7", "14"],
      ["7", "14", "30"],
      ["7", "14", "30", "all"],
      ["7", "14", "30", "90", "all"],
    ]);
  });

  it("are all that are kept where the wanted period is longer", () => {
    expect(getShownDays(makeHistory(12), "30", TODAY)).toMatchObject({ span: "all", days: { length: 12 } });
  });
});
