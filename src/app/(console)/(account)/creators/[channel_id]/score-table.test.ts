import { describe, expect, it } from "vitest";
import { describeScoreBasis } from "./score-table";

describe("describeScoreBasis", () => {
  const known = { counts: "known", score_explanation: null } as const;

  it("says when no growth is measured, and when parts are still missing", () => {
    expect(describeScoreBasis({ ...known, score_basis: "profile" })).toContain("No growth measured yet");
    expect(describeScoreBasis({ ...known, score_basis: "history" })).toContain("next daily snapshot");
    const explained = { ...known, score_explanation: [{ part: "recent_pace", points: 3, max: 40 }] } as const;
    expect(
      describeScoreBasis({ ...explained, score_explanation: [...explained.score_explanation], score_basis: "history" }),
    ).toContain("add up to the score");
  });

  it("says why there is no score", () => {
    const unscored = { score_basis: "profile", score_explanation: null } as const;
    expect(describeScoreBasis({ ...unscored, counts: "hidden" })).toContain("hides its subscribers");
    expect(describeScoreBasis({ ...unscored, counts: "unread" })).toContain("not measured yet");
  });
});
