import { sum } from "d3-array";
import { expect, it } from "vitest";
import { addDays } from "@/core/time";
import { explainScore } from "./explanation.rules";
import { ScoreParts } from "./schema";
import { scoreChannel } from "./score.rules";
import { createRandom } from "./statistics.rules";

const TODAY = "2026-03-29";

/** Scores of random channels with 1 to 28 days of history. */
function createScores() {
  const random = createRandom(3);
  return Array.from({ length: 2000 }, () => {
    let [count, views] = [10 ** (6 * random()), 10 ** (7 * random())];
    const pace = 0.1 * random() ** 4 - 0.005;
    const snapshots = Array.from({ length: 2 + Math.floor(28 * random()) }, (_, ago) => {
      count *= Math.exp(pace + (random() < 0.02 ? 1 : 0));
      views *= 1 + 0.05 * random();
      return { ago, subscribers: Math.floor(count), views: random() < 0.1 ? null : Math.floor(views) };
    }).map(({ ago, ...counts }, _, all) => ({ ...counts, day: addDays(TODAY, ago + 1 - all.length) }));
    return scoreChannel(snapshots, TODAY, { subscribers: Math.floor(count), views: Math.floor(views) });
  });
}

it("splits each score into whole points that add up to it, none above its most", () => {
  for (const { value, parts } of createScores()) {
    const explained = explainScore(ScoreParts.parse(parts), value);
    expect(sum(explained, ({ points }) => points)).toBe(value);
    expect(explained.length).toBeLessThanOrEqual(6);
    for (const { points, max } of explained) {
      expect(points).toBeGreaterThanOrEqual(0);
      expect(points).toBeLessThanOrEqual(max);
    }
  }
});
