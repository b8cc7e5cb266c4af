import { describe, expect, it } from "vitest";
import { describeScoreBasis, explainScore, getMainReason } from "./score-parts";

const PARTS = {
  growth_28d: Math.log(1.02),
  growth_7d: Math.log(1.05),
  growth_recent: Math.log(1.1),
  growth_by_views: Math.log(1.03),
  acceleration: 0.0755,
  persistence: 0.75,
  reach: 1.234,
  confidence: 0.8,
};

const getValue = (name: string, parts = {}) =>
  explainScore({ ...PARTS, ...parts }).find((part) => part.name === name)?.value;
const getText = (name: string, parts = {}) =>
  explainScore({ ...PARTS, ...parts }).find((part) => part.name === name)?.text;

describe("explainScore", () => {
  it("returns each part as a name, a value and a sentence", () => {
    expect(explainScore(PARTS).map(({ name, value }) => [name, value])).toEqual([
      ["Recent growth", "+10.0% a week"],
      ["Last 7 days", "+5.0%"],
      ["Last 28 days", "+2.0% a week"],
      ["Pace", "faster"],
      ["Expected from views", "+3.0% a week"],
      ["Persistence", "3 of 4 weeks"],
      ["Reach", "123 per 100"],
      ["Confidence", "80%"],
    ]);
    for (const { text } of explainScore(PARTS)) expect(text).toMatch(/^[A-Z].* .*\.$/);
  });

  it.each([
    [0.0755, "faster", "Growing 7.6% a week faster now than over four weeks."],
    [-0.02, "slower", "Growing 2.0% a week slower now than over four weeks."],
    [0.0004, "even", "Growing as fast now as over four weeks."],
  ])("describes an acceleration of %s as %s", (acceleration, value, text) => {
    expect(getValue("Pace", { acceleration })).toBe(value);
    expect(getText("Pace", { acceleration })).toBe(text);
  });

  it.each([
    [-0.02, -0.03, "falling", "Shrinking now, as over four weeks."],
    [-0.03, -0.02, "falling", "Shrinking now, as over four weeks."],
    [-0.03, 0.02, "turned down", "Shrinking now; over four weeks it grew."],
    [0.03, -0.02, "turned up", "Growing now, apart from sudden drops; over four weeks it shrank."],
    [0.03, 0, "turned up", "Growing now, apart from sudden drops; over four weeks it stood still."],
    [0.0001, -0.02, "still", "Flat now; over four weeks it shrank."],
  ])("never describes a shrinking channel as growing: %s now, %s over four weeks", (now, month, value, text) => {
    const parts = { growth_recent: now, growth_28d: month, acceleration: now - month };
    expect(getValue("Pace", parts)).toBe(value);
    expect(getText("Pace", parts)).toBe(text);
  });

  it("says what is unknown instead of showing zero", () => {
    for (const name of ["Expected from views", "Reach"])
      expect(getValue(name, { growth_by_views: null, reach: null })).toBe("not known");
  });

  it("shows signs on zero growth and on a fall", () => {
    expect(getValue("Last 7 days", { growth_7d: 0 })).toBe("0.0%");
    expect(getValue("Last 7 days", { growth_7d: Math.log(0.9) })).toBe("−10.0%");
  });

  it("describes the confidence of the score", () => {
    const texts = [0.9, 0.5, 0.1].map((confidence) => getText("Confidence", { confidence }));
    expect(texts).toEqual([
      expect.stringContaining("Most of the past four weeks"),
      expect.stringContaining("Part of the past four weeks"),
      expect.stringContaining("Little is known"),
    ]);
  });
});

describe("scoreBasisText", () => {
  const known = { counts: "known", score_parts: null } as const;

  it("says when no growth is measured, and when parts are still missing", () => {
    expect(describeScoreBasis({ ...known, score_basis: "profile" })).toContain("No growth measured yet");
    expect(describeScoreBasis({ ...known, score_basis: "history" })).toContain("next daily snapshot");
    const explained = { ...known, score_parts: PARTS };
    expect(describeScoreBasis({ ...explained, score_basis: "history" })).toContain("Recent growth counts most");
  });

  it("says why there is no score", () => {
    const unscored = { score_basis: "profile", score_parts: null } as const;
    expect(describeScoreBasis({ ...unscored, counts: "hidden" })).toContain("hides its subscribers");
    expect(describeScoreBasis({ ...unscored, counts: "unread" })).toContain("not measured yet");
  });
});

describe("mainReason", () => {
  const TOTALS = { views: 24_310, videos: 18 };
  const getReason = (parts = {}) =>
    getMainReason({
      ...TOTALS,
      counts: "known",
      score_basis: "history",
      score_parts: { ...PARTS, ...parts },
    });

  it.each([
    [{}, "+10.0% a week, up from +2.0%"],
    [{ growth_recent: 0.025 }, "Grew in 3 of the last 4 weeks"],
    [{ growth_recent: 0.03, growth_28d: 0.03, persistence: 1 }, "Grew in all of the last 4 weeks"],
    [{ growth_recent: 0.03, growth_28d: 0.03, growth_by_views: 0.1 }, "Views point to +10.5% a week"],
    [{ growth_28d: 0 }, "Turned up after 4 weeks without growth"],
    [{ confidence: 0.1 }, "Growing, but few snapshots so far"],
    [{ growth_recent: -0.01 }, "Grew over 4 weeks, but is shrinking now"],
    [{ growth_recent: -0.01, growth_28d: -0.01 }, "Shrank over the last 4 weeks"],
    [{ growth_recent: 0, growth_28d: 0 }, "Flat over the last 4 weeks"],
  ])("returns the strongest reason for %j", (parts, reason) => {
    expect(getReason(parts)).toBe(reason);
  });

  it("describes a channel without measured growth, and returns nothing without a score", () => {
    const profile = { ...TOTALS, score_basis: "profile", score_parts: null } as const;
    expect(getMainReason({ ...profile, counts: "known" })).toBe("24.3K views in 18 videos");
    expect(getMainReason({ ...profile, counts: "hidden" })).toBeNull();
  });
});
