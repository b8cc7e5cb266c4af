import { describe, expect, it } from "vitest";
import { YOUTUBE_EVENTS } from "@/platform/youtube/events";
import { listAlertMarks, listDayNotes } from "./notes";

const makeDays = (...list: string[]) =>
  list.map((text) => {
    const day = text.replace("no ", "");
    return { day, snapshot: text === day ? { day, subscribers: 1, views: 1, videos: 1 } : null };
  });

it("marks each alert of the charted days in the color of its severity", () => {
  const alerts = [
    { day: "2026-03-11", severity: "SURGING", percent: 30 },
    { day: "2026-03-10", severity: "WATCH", percent: 11.8 },
    { day: "2026-02-01", severity: "EXPLOSIVE", percent: 90 },
  ] as const;
  expect(listAlertMarks(["2026-03-10", "2026-03-11"], alerts)).toEqual([
    { index: 0, severity: "WATCH", color: "#22d3ee", label: "WATCH +11.8%" },
    { index: 1, severity: "SURGING", color: "#ff6b35", label: "SURGING +30.0%" },
  ]);
});

describe("day notes", () => {
  const shown = makeDays("2025-03-30", "2025-03-31", "2025-04-01");
  const listNotes = (charted: typeof shown, measure: "subscribers" | "views", run_days: string[] = []) =>
    listDayNotes(charted, measure, { events: YOUTUBE_EVENTS, run_days });

  it("mention what the platform did to this count, and only to this one", () => {
    expect(listNotes(shown, "views")).toEqual([
      {
        from: 1,
        to: 1,
        label: "Shorts views redefined",
        text: expect.stringMatching(/^31 Mar: YouTube began to count/),
      },
    ]);
    expect(listNotes(shown, "subscribers")).toEqual([]);
    expect(listNotes(shown.slice(2), "views")).toEqual([]);
    expect(listNotes(makeDays("2018-12-12", "2018-12-13", "2018-12-14"), "subscribers")).toMatchObject([
      { from: 1, to: 2, text: expect.stringMatching(/^13 Dec to 14 Dec: /) },
    ]);
  });

  it("mention the days without a run, consecutive days together", () => {
    const charted = makeDays("2026-03-01", "no 2026-03-02", "no 2026-03-03", "no 2026-03-04", "2026-03-05");
    expect(listNotes(charted, "views", ["2026-03-01", "2026-03-03", "2026-03-05"])).toMatchObject([
      { from: 1, to: 1, text: "2 Mar: the daily run was missed." },
      { from: 3, to: 3 },
    ]);
    expect(listNotes(charted, "views", ["2026-03-01"])).toMatchObject([
      { from: 1, to: 3, text: "2 Mar to 4 Mar: the daily run was missed." },
    ]);
    expect(listNotes(charted, "views")).toEqual([]);
  });
});

it("lists each platform event with a sentence, in day order", () => {
  const starts = YOUTUBE_EVENTS.map(({ from }) => from);
  expect(starts).toEqual([...starts].sort());
  for (const { from, to, text } of YOUTUBE_EVENTS) {
    expect(from <= to).toBe(true);
    expect(text).toMatch(/^YouTube .+\.$/);
  }
});
