import { describe, expect, it } from "vitest";
import { computeHeldCount, gradeOutcome } from "./outcomes.rules";

describe("outcome of a rise", () => {
  it.each([
    [500, 600, 7],
    [100, 113, 7],
    [1000, 1200, 7],
    [14_100, 16_500, 28],
  ] as const)("of %i to %i is held after %i days from the lowest count that counts as held", (before, after, days) => {
    const held = computeHeldCount(before, after, days);
    expect(gradeOutcome(before, after, held, days)).toBe("held");
    expect(gradeOutcome(before, after, held - 1, days)).not.toBe("held");
  });

  it.each([
    // Exact counts: 100 gained on the day, 50 needed after 7 days, 100 after 28.
    [500, 600, 650, 7, "held"],
    [500, 600, 649, 7, "faded"],
    [500, 600, 600, 7, "faded"],
    [500, 600, 400, 7, "faded"],
    [500, 600, 700, 28, "held"],
    [500, 600, 699, 28, "faded"],
    // An odd gain has no half: 7 of 13.
    [100, 113, 120, 7, "held"],
    [100, 113, 119, 7, "faded"],
    [500, 600, null, 7, "unclear"],
    [500, 600, null, 28, "unclear"],
    [500, 600, 0, 7, "faded"],
  ] as const)("grades %i to %i, then %s after %i days, as %s", (before, after, later, days, outcome) => {
    expect(gradeOutcome(before, after, later, days)).toBe(outcome);
  });

  it.each([
    // 1,000 to 1,009 may have become 1,200 to 1,209: between 191 and 209 gained, 96 to 105 needed.
    [1000, 1200, 1320, 7, "held"],
    [1000, 1200, 1310, 7, "unclear"],
    [1000, 1200, 1290, 7, "unclear"],
    [1000, 1200, 1280, 7, "faded"],
  ] as const)(
    "grades rounded counts of %i to %i, then %i after %i days, as %s",
    (before, after, later, days, outcome) => {
      expect(gradeOutcome(before, after, later, days)).toBe(outcome);
    },
  );

  it("returns held or faded only when every possible true count agrees", () => {
    for (let later = 1100; later <= 1500; later += 10) {
      const said = gradeOutcome(1000, 1200, later, 7);
      const truths = new Set<boolean>();
      for (const before of [1000, 1009])
        for (const after of [1200, 1209])
          for (const then of [later, later + 9]) truths.add(2 * (then - after) >= after - before);
      expect([later, said]).toEqual([later, truths.size === 2 ? "unclear" : truths.has(true) ? "held" : "faded"]);
    }
  });

  it("compares counts exactly beyond what a float can hold", () => {
    const [before, after] = [4_000_000_000_000_000, 5_000_000_000_000_000];
    expect(gradeOutcome(before, after, 9_007_199_254_740_991, 7)).toBe("held");
    expect(gradeOutcome(before, after, after + 1, 7)).toBe("faded");
  });
});

it.each([
  [500, 600, 7, 650],
  [500, 600, 28, 700],
  [100, 113, 7, 120],
  [1000, 1200, 7, 1314],
] as const)("a rise from %i to %i is held after %i days from %i on", (before, after, days, needed) => {
  expect(computeHeldCount(before, after, days)).toBe(needed);
  expect(gradeOutcome(before, after, needed, days)).toBe("held");
  expect(gradeOutcome(before, after, needed - 1, days)).not.toBe("held");
});
