import { describe, expect, it } from "vitest";
import { computeChances, FITTED, interpolate, toComparableScore } from "@/features/growth/calibration.rules";
import { createRandom } from "@/features/growth/statistics.rules";
import { fitAll, fitIsotonic, HISTORY_LENGTHS, type Sample } from "./fit.rules";

/** Channels whose short histories show a third of their strength. */
function createSamples(): Sample[] {
  const random = createRandom(1);
  return Array.from({ length: 6000 }, (_, channel) => {
    const strength = 80 * random() ** 2;
    const historyDays = HISTORY_LENGTHS[channel % HISTORY_LENGTHS.length] ?? 28;
    const rarity = strength / 20 + random();
    const grown = { 7: random() < strength / 100 ? 0.1 : 0, 28: random() < strength / 100 ? 0.3 : 0 };
    const raw = historyDays < 7 ? strength / 3 : strength;
    return { channel, file: channel % 2, historyDays, raw, hasGrown: true, grown, rarity, size: 1000 };
  });
}

describe("score fit", () => {
  const fitted = fitAll(createSamples());

  it("adjusts scores of short histories to compare with those of 28 days", () => {
    for (const strength of [10, 20, 40])
      expect(Math.abs(toComparableScore(strength / 3, 3, fitted.comparable) - strength)).toBeLessThan(6);
    for (const raw of [0, 17, 60, 100]) expect(toComparableScore(raw, 28, fitted.comparable)).toBe(raw);
  });

  it("fits chances that match the observed shares", () => {
    for (const [strength, days] of [
      [30, 28],
      [60, 28],
    ] as const) {
      const { chance_7d, chance_28d } = computeChances(strength, days, 1000, fitted);
      expect(Math.abs(chance_7d - strength / 100)).toBeLessThan(0.08);
      expect(Math.abs(chance_28d - strength / 100)).toBeLessThan(0.08);
    }
  });

  it("returns the same fit each time", () => {
    expect(fitAll(createSamples())).toEqual(fitted);
  });
});

describe("fitted tables", () => {
  it("keeps the order of scores with the same days of history, between 0 and 100", () => {
    for (let days = 1; days <= 28; days++) {
      const scores = Array.from({ length: 101 }, (_, raw) => toComparableScore(raw, days));
      expect(scores).toEqual([...scores].sort((one, other) => one - other));
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
      expect(scores.at(-1)).toBe(100);
    }
  });

  it("gives a higher chance to a higher score, whatever the size and the days", () => {
    for (const { score } of Object.values(FITTED.chances))
      expect(score.values).toEqual([...score.values].sort((one, other) => one - other));
  });
});

it("pools falling values by weight in isotonic regression", () => {
  expect(fitIsotonic([1, 3, 2, 4], [1, 1, 3, 1])).toEqual([1, 2.25, 2.25, 4]);
  expect(fitIsotonic([3, 2, 1], [1, 1, 1])).toEqual([2, 2, 2]);
});

it("interpolates a curve between its points and keeps it constant outside", () => {
  const curve = { at: [0, 10], values: [5, 7] };
  expect([-1, 0, 5, 10, 99].map((x) => interpolate(curve, x))).toEqual([5, 5, 6, 7, 7]);
});
