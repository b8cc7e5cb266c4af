import { describe, expect, it } from "vitest";
import {
  type Candidate,
  differInLetters,
  isTypoOf,
  keptCandidates,
  nearestSpelling,
  nicheIdentity,
  searchWords,
} from "./niches.rules";

describe("the identity of a niche", () => {
  it.each([
    ["gaming", "GAMING", "  Gaming ", "gaming\u00a0"],
    ["e-sports", "E-Sports", "esports", "e sports", "e–sports", "e_sport", "ESPORT"],
    ["indie games", "Indie   Game", "indie-games", "indiegames"],
    ["lo-fi", "lofi", "Lo Fi", "lo\u00adfi"],
    ["movies", "movie", "Movie's"],
    ["hobby", "hobbies"],
    ["pet care", "Pets Care", "petcare"],
    ["video game reviews", "video games review"],
    ["board games", "board game"],
    ["big boxes", "big boxe", "bigboxes"],
    ["watch", "watches"],
    ["heroes", "hero"],
    ["shoe", "shoes"],
    ["houses", "house"],
    ["recipe", "recipes"],
    ["class", "classes"],
    ["cafés", "cafe\u0301", "CAFÉ"],
    ["straße", "STRASSE"],
    ["οδός", "ΟΔΌΣ"],
    ["ｇａｍｉｎｇ", "gaming"],
    ["料理", " 料理 "],
  ])("is one for %s and its other spellings", (...spellings) => {
    expect(new Set(spellings.map(nicheIdentity)).size).toBe(1);
  });

  it.each([
    ["car", "care"],
    ["cat", "car"],
    ["plan", "plane"],
    ["news", "new"],
    ["raspberry pi", "raspberry pie"],
    ["chess", "ches"],
    ["c", "c++"],
    ["c#", "c++"],
    ["gas", "ga"],
    ["café", "cafe"],
    ["料理", "料"],
    ["-", "_"],
    ["c-o-o-k-i-n-g", "cooking"],
  ])("tells %s from %s", (one, other) => {
    expect(nicheIdentity(one)).not.toBe(nicheIdentity(other));
  });

  it("has at most a hundred letters, whatever NFKC expands", () => {
    expect(nicheIdentity("ﷺ".repeat(100))).toHaveLength(100);
  });

  it.each(["-", "'", " — ", "\u200b", "s", "ss"])("is never empty: %j", (niche) => {
    expect(nicheIdentity(niche)).not.toBe("");
  });
});

it.each([
  ["gaming", "Gam-Ing ", false],
  ["lo-fi", "LOFI", false],
  ["game", "games", true],
])("%j and %j differ in letters: %s", (one, other, differ) => {
  expect(differInLetters(one, other)).toBe(differ);
});

describe("the candidates that are kept", () => {
  const at = new Date("2026-03-10T12:00:00.000Z");
  const many = (count: number, subscribers: number | null, score: number): Candidate[] =>
    Array.from({ length: count }, (_, number) => ({
      channelId: `${subscribers}-${number}`,
      subscribers,
      score,
      foundAt: at,
    }));
  const small = (kept: Candidate[]) => kept.filter(({ subscribers }) => Number(subscribers) < 10_000).length;

  it("are all while there is room", () => {
    expect(keptCandidates(many(7, 50_000, 3), 10)).toHaveLength(7);
  });

  it("give half of the places to channels under 10,000 subscribers, however low they score", () => {
    const kept = keptCandidates([...many(20, 10_000, 90), ...many(20, 9_999, 1)], 10);
    expect([kept.length, small(kept)]).toEqual([10, 5]);
  });

  it("give places that one side leaves free to the other", () => {
    expect(small(keptCandidates([...many(2, 50_000, 9), ...many(20, 500, 1)], 10))).toBe(8);
    expect(small(keptCandidates([...many(20, 50_000, 9), ...many(3, 500, 1)], 10))).toBe(3);
  });

  it("are the best by score of small and large, a hidden count being large", () => {
    const kept = keptCandidates([...many(5, 500, 1), ...many(5, 700, 2), ...many(9, null, 5)], 8);
    expect(kept.map(({ subscribers, score }) => [subscribers, score])).toEqual([
      ...Array.from({ length: 4 }, () => [700, 2]),
      ...Array.from({ length: 4 }, () => [null, 5]),
    ]);
  });

  it("are those found later among equals", () => {
    const [old, fresh] = [
      many(1, 500, 4),
      many(1, 600, 4).map((one) => ({ ...one, foundAt: new Date(+at + 1) })),
    ];
    expect(keptCandidates([...old, ...fresh], 1)).toEqual(fresh);
  });
});

describe("the nearest spelling", () => {
  it.each([
    ["mobile gaming", ["cooking", "gaming", "chess"], "gaming"],
    ["gamign", ["cooking", "gaming"], "gaming"],
    ["vegan cooking", ["cooking", "vegan baking", "chess"], "cooking"],
    ["retro gaming consoles", ["gaming", "retro gaming"], "retro gaming"],
    ["zeppelin racing", ["cooking", "chess"], null],
    ["料理", ["料理教室", "chess"], "料理教室"],
    ["chess", [], null],
  ])("of %s among %j is %s", (niche, known, nearest) => {
    expect(nearestSpelling(niche, known)).toBe(nearest);
  });
});

describe("a typo", () => {
  it.each([
    ["gaming", "gamign", true],
    ["gaming", "gamin", true],
    ["gaming", "gamming", true],
    ["gaming", "gambling", false],
    ["photography", "fotography", true],
    ["photography", "photgraphi", true],
    ["photography", "cartography", false],
    ["gaming", "gaming", false],
    ["cat", "car", false],
    ["chess", "chees", true],
  ])("makes %s of %s: %s", (one, other, typo) => {
    expect(isTypoOf(one, other)).toBe(typo);
    expect(isTypoOf(other, one)).toBe(typo);
  });
});

describe("the search query", () => {
  it.each([
    ["ﬁtness", "fitness"],
    ["ｇａｍｉｎｇ", "gaming"],
    ["-board–games_", "board games"],
    ["c++", "c++"],
    ["--", "--"],
  ])("for the niche %s is %s", (spelling, words) => {
    expect(searchWords(spelling)).toBe(words);
  });
});
