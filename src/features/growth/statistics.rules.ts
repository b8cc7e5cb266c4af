import { sum } from "d3-array";

export type Ranked = ReturnType<typeof rankValues>;

/**
 * Ranks the values of a pool's members once for any weights, by their indices, highest value first. `ends` has, for
 * each group of equal values, the position in `order` after its last member.
 * @param random decides between equal values
 */
export function rankValues(values: readonly number[], random: () => number) {
  const chances = values.map(random);
  const at = (list: readonly number[], index = 0) => list[index] ?? 0;
  const order = Int32Array.from(values.keys());
  order.sort((one, other) => at(values, other) - at(values, one) || at(chances, one) - at(chances, other));
  const ends = Array.from(order.keys(), (index) => index + 1).filter(
    (end) => end === order.length || at(values, order[end]) !== at(values, order[end - 1]),
  );
  return { values, order, ends: Int32Array.from(ends) };
}

/** Ranks from 1 for the highest; equal values share their mean rank. @param weights how often each member counts */
export function computeAverageRanks({ order, ends }: Ranked, weights: Int32Array): Float64Array {
  const ranks = new Float64Array(order.length);
  let before = 0;
  let from = 0;
  for (const end of ends) {
    let tied = 0;
    for (let at = from; at < end; at++) tied += weights[order[at] ?? 0] ?? 0;
    for (; from < end; from++) ranks[order[from] ?? 0] = before + (tied + 1) / 2;
    before += tied;
  }
  return ranks;
}

/**
 * Prepares Spearman's correlation with a target: that of the ranks, where equal values share their mean rank.
 * @param weights how often each member counts
 * @returns a function that gives the correlation of a ranking; 0 when one side does not vary
 */
export function createRankCorrelation(target: Ranked, weights: Int32Array): (ranking: Ranked) => number {
  const meanRank = (sum(weights) + 1) / 2;
  const deviations = computeAverageRanks(target, weights).map((rank) => rank - meanRank);
  const weighted = deviations.map((deviation, member) => deviation * (weights[member] ?? 0));
  const yy = sum(weighted.map((deviation, member) => deviation * (deviations[member] ?? 0)));
  // Plain loops over typed arrays: a backtest comes here 72,000 times with 1,500 members.
  return ({ order, ends }) => {
    let [xx, xy, before, at] = [0, 0, 0, 0];
    for (const end of ends) {
      let [tied, happened] = [0, 0];
      for (; at < end; at++) {
        const member = order[at] ?? 0;
        tied += weights[member] ?? 0;
        happened += weighted[member] ?? 0;
      }
      const deviation = before + (tied + 1) / 2 - meanRank;
      xx += tied * deviation * deviation;
      xy += deviation * happened;
      before += tied;
    }
    return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
  };
}

/** The weights of members that count once each. */
export function createEqualWeights(count: number): Int32Array {
  return new Int32Array(count).fill(1);
}

/** The range of the middle 95% of values. */
export function computeInterval(values: readonly number[]): { low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}

/** Repeatable random numbers from 0 up to 1 (mulberry32 by Tommy Ettinger, public domain). Not for secrets. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A bootstrap sample: how often each of `count` members is drawn in `count` draws. */
export function drawWeights(count: number, random: () => number): Int32Array {
  const weights = new Int32Array(count);
  for (let draw = 0; draw < count; draw++) {
    const member = Math.floor(random() * count);
    weights[member] = (weights[member] ?? 0) + 1;
  }
  return weights;
}
