import { describe, expect, it } from "vitest";
import { renderBadge } from "./badge";

const RUN = {
  day: "2026-11-20",
  started_at: "",
  finished_at: null,
  delay_seconds: 0,
  duration_seconds: null,
  coverage: 1,
};

describe("status badge", () => {
  it.each([
    ["on time", false, [RUN]],
    ["overdue", true, [RUN]],
    ["none yet", false, []],
  ])("says that the daily run is %s, as a picture with a text for screen readers", (state, run_overdue, runs) => {
    const svg = renderBadge({ run_overdue, runs });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" .*<\/svg>$/);
    expect(svg).toContain(`aria-label="daily run: ${state}"`);
    expect(svg).toContain(`>${state}</text>`);
  });
});
