import { describe, expect, it } from "vitest";
import type { InboxAlert } from "@/features/alerts/inbox.service";
import { formatContent, groupByDay } from "./inbox";

const build = (day: string, is_read = true) => ({ day, is_read }) as InboxAlert;

describe("groups of alerts", () => {
  it("are days for today and yesterday, and months before", () => {
    const days = ["2026-11-26", "2026-11-25", "2026-11-24", "2026-11-02", "2026-10-31", "2025-11-30"];
    const groups = groupByDay(
      days.map((day) => build(day)),
      "2026-11-26",
    );
    expect(groups.map(({ title, alerts }) => [title, alerts.length])).toEqual([
      ["Today, 26 Nov", 1],
      ["Yesterday, 25 Nov", 1],
      ["Earlier in November", 2],
      ["October", 1],
      ["November 2025", 1],
    ]);
  });

  it.each([
    [[true], "1 alert"],
    [[false], "1 alert, unread"],
    [[false, false], "2 alerts, both unread"],
    [[false, false, false], "3 alerts, all unread"],
    [[false, true, true], "3 alerts, 1 unread"],
  ])("say how many are unread: %j is %s", (read, text) => {
    expect(formatContent(read.map((is_read) => build("2026-11-26", is_read)))).toBe(text);
  });
});
