import { describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { getShownDays } from "./shown-days";

const TODAY = "2026-03-10";
const makeHistory = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    day: addDays(TODAY, index - count + 1),
    subscribers: 1,
    views: 1,
    videos: 1,
  }));
const VIEW = { days: "30", from: "", to: "" };

describe("charted days", () => {
  it("are offered only as far as snapshots are kept", () => {
    const listOffered = (count: number) =>
      getShownDays(makeHistory(count), VIEW, TODAY).spans.map(({ value }) => value);
    expect([3, 14, 30, 31, 91].map(listOffered)).toEqual([
      ["all"],
      ["7", "14"],
      ["7", "14", "30"],
      ["7", "14", "30", "all"],
      ["7", "14", "30", "90", "all"],
    ]);
  });

  it("are all that are kept where the wanted period is longer", () => {
    expect(getShownDays(makeHistory(12), VIEW, TODAY)).toMatchObject({ span: "all", days: { length: 12 } });
  });

  it("are those of a range of dates, with one end or both", () => {
    const listDays = (from: string, to: string) => {
      const { span, days } = getShownDays(makeHistory(12), { ...VIEW, from, to }, TODAY);
      return [span, days.length, days[0]?.day, days.at(-1)?.day];
    };
    expect(listDays("2026-03-05", "2026-03-07")).toEqual(["", 3, "2026-03-05", "2026-03-07"]);
    expect(listDays("2026-03-08", "")).toEqual(["", 3, "2026-03-08", TODAY]);
    expect(listDays("", "2026-02-28")).toEqual(["", 2, "2026-02-27", "2026-02-28"]);
  });
});
