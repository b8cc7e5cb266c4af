import { describe, expect, it } from "vitest";
import {
  type Candidate,
  findNearestSpelling,
  hasDifferentLetters,
  isTypo,
  selectCandidates,
  toNicheIdentity,
  toSearchQuery,
} from "./niches.rules";

describe("niche identity", () => {
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
  ])("gives %s and its other spellings one identity", (...spellings) => {
    expect(new Set(spellings.map(toNicheIdentity)).size).toBe(1);
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
  ])("gives %s and %s different identities", (one, other) => {
    expect(toNicheIdentity(one)).not.toBe(toNicheIdentity(other));
  });

  it("cuts an identity to a hundred letters after NFKC expands it", () => {
    expect(toNicheIdentity("ﷺ".repeat(100))).toHaveLength(100);
  });

  it.each(["-", "'", " — ", "\u200b", "s", "ss"])("gives %j an identity that is not empty", (niche) => {
    expect(toNicheIdentity(niche)).not.toBe("");
  });
});

it.each([
  ["gaming", "Gam-Ing ", false],
  ["lo-fi", "LOFI", false],
  ["game", "games", true],
])("%j and %j differ in letters: %s", (one, other, differ) => {
  expect(hasDifferentLetters(one, other)).toBe(differ);
});

describe("kept candidates", () => {
  const at = new Date("2026-03-10T12:00:00.000Z");
  const createMany = (count: number, subscribers: number | null, score: number): Candidate[] =>
    Array.from({ length: count }, (_, number) => ({
      channelId: `${subscribers}-${number}`,
      subscribers,
      score,
      foundAt: at,
    }));
  const isSmall = (kept: Candidate[]) => kept.filter(({ subscribers }) => Number(subscribers) < 10_000).length;

  it("keeps all candidates while there is room", () => {
    expect(selectCandidates(createMany(7, 50_000, 3), 10)).toHaveLength(7);
  });

  it("keeps half for channels under 10,000 subscribers, however low they score", () => {
    const kept = selectCandidates([...createMany(20, 10_000, 90), ...createMany(20, 9_999, 1)], 10);
    expect([kept.length, isSmall(kept)]).toEqual([10, 5]);
  });

  it("gives free slots of one half to the other", () => {
    expect(isSmall(selectCandidates([...createMany(2, 50_000, 9), ...createMany(20, 500, 1)], 10))).toBe(8);
    expect(isSmall(selectCandidates([...createMany(20, 50_000, 9), ...createMany(3, 500, 1)], 10))).toBe(3);
  });

  it("keeps the best scores of small and large channels, a hidden count being large", () => {
    const kept = selectCandidates([...createMany(5, 500, 1), ...createMany(5, 700, 2), ...createMany(9, null, 5)], 8);
    expect(kept.map(({ subscribers, score }) => [subscribers, score])).toEqual([
      ...Array.from({ length: 4 }, () => [700, 2]),
      ...Array.from({ length: 4 }, () => [null, 5]),
    ]);
  });

  it("keeps the candidate found later among equal scores", () => {
    const [old, fresh] = [
      createMany(1, 500, 4),
      createMany(1, 600, 4).map((one) => ({ ...one, foundAt: new Date(+at + 1) })),
    ];
    expect(selectCandidates([...old, ...fresh], 1)).toEqual(fresh);
  });
});

describe("nearest niche", () => {
  it.each([
    ["mobile gaming", ["cooking", "gaming", "chess"], "gaming"],
    ["gamign", ["cooking", "gaming"], "gaming"],
    ["vegan cooking", ["cooking", "vegan baking", "chess"], "cooking"],
    ["retro gaming consoles", ["gaming", "retro gaming"], "retro gaming"],
    ["zeppelin racing", ["cooking", "chess"], null],
    ["料理", ["料理教室", "chess"], "料理教室"],
    ["chess", [], null],
  ])("finds the nearest niche to %s among %j: %s", (niche, known, nearest) => {
    expect(findNearestSpelling(niche, known)).toBe(nearest);
  });
});

describe("typo detection", () => {
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
  ])("detects a typo between %s and %s: %s", (one, other, typo) => {
    expect(isTypo(one, other)).toBe(typo);
    expect(isTypo(other, one)).toBe(typo);
  });
});

describe("search query", () => {
  it.each([
    ["ﬁtness", "fitness"],
    ["ｇａｍｉｎｇ", "gaming"],
    ["-board–games_", "board games"],
    ["c++", "c++"],
    ["--", "--"],
  ])("searches the niche %s as %s", (spelling, words) => {
    expect(toSearchQuery(spelling)).toBe(words);
  });
});
