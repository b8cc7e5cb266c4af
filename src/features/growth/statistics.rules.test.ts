import { describe, expect, it } from "vitest";
import {
  computeAverageRanks,
  computeInterval,
  createEqualWeights,
  createRandom,
  createRankCorrelation,
  drawWeights,
  rankValues,
} from "./statistics.rules";

const ONES = (count: number) => new Array<number>(count).fill(1);

describe("ranked", () => {
  it("puts the highest first and breaks ties by chance", () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const { order } = rankValues([5, 9, 5, 5, 1], createRandom(seed));
      expect([order[0], order[4]]).toEqual([1, 4]);
      orders.add(order.join());
    }
    expect(orders.size).toBe(6);
  });

  it("breaks ties the same way with the same seed", () => {
    const values = ONES(50);
    expect(rankValues(values, createRandom(3))).toEqual(rankValues(values, createRandom(3)));
    expect(rankValues(values, createRandom(3))).not.toEqual(rankValues(values, createRandom(4)));
  });
});

describe("averageRanks", () => {
  it("gives equal values the mean of their ranks", () => {
    const values = [10, 30, 20, 20, 20, 5];
    expect([...computeAverageRanks(rankValues(values, createRandom(1)), createEqualWeights(6))]).toEqual([
      5, 1, 3, 3, 3, 6,
    ]);
  });

  it("counts a member as often as its weight, and never with weight 0", () => {
    const ranks = computeAverageRanks(rankValues([10, 30, 20], createRandom(1)), Int32Array.of(2, 3, 0));
    // The value 30 counts three times (ranks 1 to 3), 10 twice (ranks 4 and 5).
    expect([ranks[1], ranks[0]]).toEqual([2, 4.5]);
  });
});

describe("rank correlation", () => {
  const computeCorrelation = (xs: number[], ys: number[], weights = createEqualWeights(xs.length)) => {
    const random = createRandom(1);
    return createRankCorrelation(rankValues(ys, random), weights)(rankValues(xs, random));
  };

  it("returns Spearman's coefficient, from -1 to 1", () => {
    expect(computeCorrelation([1, 2, 4], [10, 20, 30])).toBeCloseTo(1);
    expect(computeCorrelation([1, 2, 4], [3, 2, 1])).toBeCloseTo(-1);
    // Deviations of the ranks (1, 0, -1) and (1, -1, 0): 1 / 2.
    expect(computeCorrelation([1, 2, 4], [1, 3, 2])).toBeCloseTo(0.5);
  });

  it("ranks ties by their mean rank", () => {
    // Deviations of the ranks (1, -1/2, -1/2) and (1, 0, -1): 3/2 / sqrt(3/2 * 2).
    expect(computeCorrelation([1, 2, 2], [1, 2, 3])).toBeCloseTo(Math.sqrt(3) / 2);
  });

  it("counts a pair of weight 2 as two equal pairs", () => {
    expect(computeCorrelation([1, 2, 3], [1, 3, 2], Int32Array.of(2, 1, 1))).toBeCloseTo(
      computeCorrelation([1, 1, 2, 3], [1, 1, 3, 2]),
    );
  });

  it("returns 0 when one side does not vary", () => expect(computeCorrelation([1, 1], [1, 2])).toBe(0));
});

it("returns the interval that holds the middle 95 %", () => {
  const values = Array.from({ length: 1001 }, (_, index) => 1000 - index);
  expect(computeInterval(values)).toEqual({ low: 25, high: 975 });
});

describe("seededRandom", () => {
  it("repeats its numbers for a seed and spreads them evenly from 0 up to 1", () => {
    const [one, other] = [createRandom(7), createRandom(7)];
    const drawn = Array.from({ length: 10_000 }, one);
    expect(drawn).toEqual(Array.from({ length: 10_000 }, other));
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = drawn.filter((value) => Math.floor(value * 10) === tenth).length / drawn.length;
      expect(share).toBeGreaterThan(0.09);
      expect(share).toBeLessThan(0.11);
    }
  });

  it("draws bootstrap samples with as many draws as members", () => {
    const weights = drawWeights(100, createRandom(1));
    expect(weights.reduce((total, weight) => total + weight, 0)).toBe(100);
    expect(Math.max(...weights)).toBeGreaterThan(1);
    expect(Math.min(...weights)).toBe(0);
  });
});
