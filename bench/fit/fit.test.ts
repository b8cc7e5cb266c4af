import { describe, expect, it } from "vitest";
import {
  computeChances,
  computeRanges,
  FITTED,
  interpolate,
  sumTerms,
  toComparableScore,
  toMeasures,
} from "@/features/growth/calibration.rules";
import type { ScoreParts } from "@/features/growth/schema";
import { createRandom } from "@/features/growth/statistics.rules";
import { fitAll, fitIsotonic, HISTORY_LENGTHS, type Sample } from "./fit";

/** The parts of a channel that grows evenly. */
const createParts = (historyDays: number, growth: number): ScoreParts => ({
  growth_28d: (growth * historyDays) / 28,
  growth_7d: growth,
  growth_recent: growth,
  growth_by_views: null,
  persistence: 1,
  reach: null,
  confidence: 1,
  size: 1000,
  history_days: historyDays,
  largest_day_share: 1 / historyDays,
  growth_since_largest_day: 0,
  slowest_week: null,
});

/** Channels whose short histories show a third of their strength. */
function createSamples(): Sample[] {
  const random = createRandom(1);
  return Array.from({ length: 6000 }, (_, channel) => {
    const strength = 80 * random() ** 2;
    const historyDays = HISTORY_LENGTHS[channel % HISTORY_LENGTHS.length] ?? 28;
    const rarity = strength / 20 + random();
    const grown = { 7: random() < strength / 100 ? 0.1 : 0, 28: random() < strength / 100 ? 0.3 : 0 };
    const raw = historyDays < 7 ? strength / 3 : strength;
    const parts = createParts(historyDays, strength / 2000);
    return { channel, file: channel % 2, parts, raw, hasGrown: true, grown, rarity, subscribers: 1000 };
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
      const chances = computeChances(toMeasures(createParts(days, strength / 2000), strength, 1000), fitted);
      expect(Math.abs((chances?.chance_7d ?? 0) - strength / 100)).toBeLessThan(0.08);
      expect(Math.abs((chances?.chance_28d ?? 0) - strength / 100)).toBeLessThan(0.08);
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
    for (const subscribers of [100, 1000, 10_000, 100_000, 5_000_000])
      for (const horizon of [7, 28] as const) {
        const odds = Array.from({ length: 101 }, (_, score) =>
          sumTerms(FITTED.chances[horizon], toMeasures(createParts(28, 0.01), score, subscribers)).toFixed(6),
        ).map(Number);
        expect(odds).toEqual([...odds].sort((one, other) => one - other));
      }
  });

  it("has a range whose ends are in order, for any growth, size and days", () => {
    for (const days of [1, 3, 28])
      for (const growth of [-0.2, -0.01, 0, 0.001, 0.01, 0.1, 1])
        for (const subscribers of [1, 100, 10_000, 1_000_000]) {
          const ranges = computeRanges(toMeasures(createParts(days, growth), 30, subscribers));
          for (const { low, high } of Object.values(ranges)) expect(low).toBeLessThanOrEqual(high);
        }
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
