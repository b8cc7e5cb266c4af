import { describe, expect, it } from "vitest";
import { formatDay, formatGrowth } from "@/core/format";
import { addDays, countDaysBetween } from "@/core/time";
import { computeGrowthPercent } from "./rules";
import { createRandom } from "./statistics.rules";
import { tellStory } from "./story.rules";

/** A Thursday. */
const TODAY = "2026-11-26";
const NUMBERS = ["no", "one", "two", "three", "four"];

/** Counts of consecutive days, the last one today; null for a day without a count. */
const createCounts = (counts: readonly (number | null)[], views: readonly number[] = []) =>
  counts.map((subscribers, index) => ({
    day: addDays(TODAY, index + 1 - counts.length),
    subscribers,
    views: views[index] ?? null,
  }));
const tell = (counts: readonly (number | null)[], views?: readonly number[]) =>
  tellStory(createCounts(counts, views), TODAY)?.sentence ?? null;
/** 29 counts from 50,000 on, by the growth of each of four weeks in percent, oldest first. */
const growByWeeks = (...weeks: readonly number[]) => {
  const daily = weeks.flatMap((week) => new Array<number>(7).fill(1 + week / 700));
  return [1, ...daily].map((_, day) =>
    Math.round(daily.slice(0, day).reduce((count, factor) => count * factor, 50_000)),
  );
};
const repeat = (count: number, days: number) => new Array<number>(days).fill(count);
const addUp = (daily: readonly number[]) => {
  let total = 1_000_000;
  return daily.map((day) => {
    total += day;
    return total;
  });
};

describe("the reason of a row", () => {
  it.each([
    ["weeks that speed up", growByWeeks(2, 2, 2.4, 2.8), "Speeding up, each of the last two weeks faster"],
    ["weeks that slow down", growByWeeks(3, 2.6, 2.2, 1.8), "Slowing down, each of the last two weeks weaker"],
    ["alike weeks", growByWeeks(2, 1.9, 2.1, 2), "Steady: up four weeks in a row at an even pace"],
    ["a doubled pace", growByWeeks(1, 1, 1, 3), "Growing at 3 times the pace of the three weeks before"],
    ["a weaker week", growByWeeks(3, 2, 4, 2), "Still up, but slower than the three weeks before"],
    ["a first week", growByWeeks(0, 0, 0, 2), "A first good week after three flat ones"],
    ["weeks after a fall", growByWeeks(-2, -2, 1, 2), "Up two weeks in a row after losing subscribers"],
    ["a pause", growByWeeks(0, 2, 2, 0), "A flat week after two good ones"],
    ["a fall", growByWeeks(-1, -1, -1, -1), "Losing subscribers for four weeks"],
    ["a fall after growth", growByWeeks(2, 2, 2, -1), "Losing subscribers after growth"],
    ["a stand-still", repeat(500, 29), "No change for four weeks"],
    [
      "a jump that stayed",
      [...repeat(5000, 20), ...repeat(5600, 9)],
      "+12.0% on 18 Nov; it stayed, with little added since",
    ],
    [
      "a jump that fades",
      [...repeat(5000, 20), ...repeat(6000, 4), ...repeat(5500, 5)],
      "+20.0% on 18 Nov, and 50% of that is lost again",
    ],
    ["a jump today", [...repeat(5000, 28), 6000], "+20.0% today after a flat week"],
    ["a jump of a loser", [...repeat(5000, 21), ...repeat(4900, 7), 6000], "+22.4% today after −2.0% the week before"],
    ["a start", [1000, 1010, 1020], "Measured for 2 days, up on each"],
    ["a start without growth", [1000, 1000], "Measured for 1 day without growth"],
  ])("describes %s", (_, counts, sentence) => {
    expect(tell(counts)).toBe(sentence);
  });

  it("adds what the views of the week say", () => {
    const counts = growByWeeks(2, 2, 2.4, 2.8);
    const views = (...daily: [before: number, week: number]) =>
      addUp([...repeat(daily[0], 22), ...repeat(daily[1], 7)]);
    expect(tell(counts, views(1000, 3000))).toMatch(/; views at 3 times their usual$/);
    expect(tell(counts, views(1000, 1500))).toMatch(/; views up 50% this week$/);
    expect(tell(counts, views(1000, 500))).toMatch(/; views down 50% this week$/);
  });

  it("is null without two counts, from zero, and without a count of the day", () => {
    for (const counts of [[500], [null, 500], [0, 500], [500, 600, null]]) expect(tell(counts)).toBeNull();
  });

  it("says only what is true of the counts, in at most 90 characters", () => {
    const random = createRandom(5);
    const kinds = new Set<string>();
    for (let round = 0; round < 4000; round++) {
      const read = createCounts(drawCounts(random));
      const story = tellStory(read, TODAY);
      if (!story) continue;
      kinds.add(story.kind);
      expect(story.sentence.length).toBeLessThanOrEqual(90);
      expectTrue(story.sentence, read);
    }
    expect(kinds.size).toBeGreaterThanOrEqual(12);
  });
});

function drawCounts(random: () => number): (number | null)[] {
  let count = 10 ** (2 + 4 * random());
  let pace = (random() - 0.4) * 0.01;
  return Array.from({ length: 2 + Math.floor(28 * random()) }, (_, day) => {
    if (day % 7 === 0) pace += (random() - 0.5) * 0.01;
    count *= 1 + pace + (random() < 0.02 ? 0.5 * random() : 0);
    return random() < 0.1 ? null : Math.floor(count);
  });
}

/** Checks a sentence against the counts alone. */
function expectTrue(sentence: string, read: ReturnType<typeof createCounts>) {
  const known = read.flatMap(({ day, subscribers }) => (subscribers === null ? [] : [{ day, subscribers }]));
  const at = (ago: number) => known.findLast(({ day }) => countDaysBetween(day, TODAY) >= ago)?.subscribers ?? 0;
  const grown = [0, 1, 2, 3].map((week) => computeGrowthPercent(at(7 * week + 7), at(7 * week)) ?? 0);
  const last = known.at(-1)?.subscribers ?? 0;
  const run = /(?:up|for) (two|three|four) weeks/i.exec(sentence);
  if (run) {
    const falls = sentence.startsWith("Losing");
    const isFlat = /moving|change/.test(sentence);
    for (const week of grown.slice(0, NUMBERS.indexOf(run[1] ?? "")))
      expect(isFlat ? Math.abs(week) <= 0.3 : falls ? week < -0.3 : week > 0.3, sentence).toBe(true);
  }
  if (sentence.startsWith("Speeding")) expect(grown.slice(0, 3)).toEqual(grown.slice(0, 3).toSorted((a, b) => b - a));
  if (sentence.startsWith("Slowing")) expect(grown.slice(0, 3)).toEqual(grown.slice(0, 3).toSorted((a, b) => a - b));
  const measured = /^Measured for (\d+)/.exec(sentence);
  if (measured) expect(Number(measured[1])).toBe(countDaysBetween(known[0]?.day ?? TODAY, TODAY));
  const jump = /^(\+[\d.]+%) (today|on (\d+ \w+))/.exec(sentence);
  if (!jump) return;
  const index = known.findIndex(({ day }) => (jump[2] === "today" ? day === TODAY : formatDay(day) === jump[3]));
  const [before, after] = [known[index - 1]?.subscribers ?? 0, known[index]?.subscribers ?? 0];
  expect(formatGrowth(computeGrowthPercent(before, after) ?? 0)).toBe(jump[1]);
  if (sentence.includes("stayed")) expect(last).toBeGreaterThan(before + 0.9 * (after - before));
  if (sentence.includes("gone")) expect(last).toBeLessThanOrEqual(before);
}
