import { describe, expect, it } from "vitest";
import { formatGrowth } from "@/core/format";
import { addDays, countDaysBetween } from "@/core/time";
import { computeGrowthPercent } from "./rules";
import { createRandom } from "./statistics.rules";
import { tellStory } from "./story.rules";

/** A Thursday. */
const TODAY = "2026-11-26";

/** Counts of consecutive days, the last one today; null for a day without a count. */
const createCounts = (counts: readonly (number | null)[]) =>
  counts.map((subscribers, index) => ({
    day: addDays(TODAY, index + 1 - counts.length),
    subscribers,
    views: null,
  }));
const tell = (counts: readonly (number | null)[]) => tellStory(createCounts(counts), TODAY)?.sentence ?? null;
const grow = (start: number, perDay: number, days: number) =>
  Array.from({ length: days }, (_, day) => start + perDay * day);

describe("the reason of a row", () => {
  it.each([
    ["a steady week", [...grow(1000, 10, 22), ...grow(1220, 10, 7)], "+5.8% in 7 days, up on 7 days"],
    [
      "a faster week",
      [...grow(1000, 1, 22), ...grow(1031, 10, 7)],
      "+6.9% in 7 days, faster than in the 21 days before",
    ],
    [
      "a slower week",
      [...grow(1000, 20, 22), ...grow(1421, 1, 7)],
      "+0.5% in 7 days, slower than in the 21 days before",
    ],
    ["one day", [500, 500, 500, 600, 600, 600], "+20.0% since Saturday, most of it on Tuesday, none since"],
    [
      "a day with growth since",
      [500, 500, 600, 610, 620, 630],
      "+26.0% since Saturday, most of it on Monday, and growing since",
    ],
    ["a jump today", [500, 500, 600], "+20.0% since Tuesday, most of it on Thursday"],
    ["two counts", [500, 600], "+20.0% in one day"],
    ["a fall after growth", [...grow(1000, 10, 22), ...grow(1208, -2, 7)], "−1.2% in 7 days; it grew before"],
    ["a fall", [1000, 990], "−1.0% in one day"],
    ["a stand-still", [1000, 1000, 1000], "No growth since Tuesday"],
    ["a gap", [1000, ...new Array(9).fill(null), 1030], "+3.0% in 10 days, most of it on Thursday"],
  ])("describes %s", (_, counts, sentence) => {
    expect(tell(counts)).toBe(sentence);
  });

  it("is null without two counts, from zero, and without a count of the day", () => {
    for (const counts of [[500], [null, 500], [0, 500], [500, 600, null]]) expect(tell(counts)).toBeNull();
  });

  it("names the growth that stands beside it, and only days that were read", () => {
    const random = createRandom(5);
    for (let round = 0; round < 2000; round++) {
      let count = 10 ** (1 + 5 * random());
      const read = createCounts(
        Array.from({ length: 2 + Math.floor(27 * random()) }, () => {
          count *= 1 + (random() - 0.4) * 0.05 + (random() < 0.03 ? 0.5 : 0);
          return random() < 0.2 ? null : Math.floor(count);
        }),
      );
      const story = tellStory(read, TODAY);
      if (!story) continue;
      const { sentence, figures } = story;
      const known = read.filter(({ subscribers }) => subscribers !== null);
      const weekAgo = known.find(({ day }) => day === addDays(TODAY, -7))?.subscribers ?? null;
      if (weekAgo !== null) {
        const shown = computeGrowthPercent(weekAgo, known.at(-1)?.subscribers ?? null);
        expect(figures).toEqual({ percent: shown, days: 7 });
      }
      if (figures.percent !== 0) expect(sentence).toContain(formatGrowth(figures.percent));
      expect(sentence.length).toBeLessThanOrEqual(110);
      const span = countDaysBetween(known[0]?.day ?? TODAY, TODAY);
      for (const [, days] of sentence.matchAll(/(\d+) days/g)) expect(Number(days)).toBeLessThanOrEqual(span);
      expect(sentence).not.toContain("week");
    }
  });
});
