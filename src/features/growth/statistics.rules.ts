/** The values of a pool's members with their order, sorted once for any weights. */
export interface Ranked {
  values: readonly number[];
  /** Indices of the members, highest value first, equal values in random order. */
  order: readonly number[];
}

/** Ranks values, highest first. @param random decides between equal values */
export function ranked(values: readonly number[], random: () => number): Ranked {
  const members = values.map((value, index) => ({ index, value, chance: random() }));
  members.sort((a, b) => b.value - a.value || a.chance - b.chance);
  return { values, order: members.map(({ index }) => index) };
}

/**
 * Ranks from 1 for the highest; equal values share their mean rank.
 * @param weights how often each member counts
 */
export function averageRanks({ values, order }: Ranked, weights: readonly number[]): number[] {
  const ranks = new Array<number>(values.length).fill(0);
  let before = 0;
  let from = 0;
  while (from < order.length) {
    const value = values[order[from] ?? 0];
    let tied = 0;
    let to = from;
    for (; to < order.length && values[order[to] ?? 0] === value; to++) tied += weights[order[to] ?? 0] ?? 0;
    for (; from < to; from++) ranks[order[from] ?? 0] = before + (tied + 1) / 2;
    before += tied;
  }
  return ranks;
}

/** Pearson correlation of weighted pairs; 0 when one side does not vary. */
export function correlation(
  xs: readonly number[],
  ys: readonly number[],
  weights: readonly number[],
): number {
  let [n, sumX, sumY] = [0, 0, 0];
  weights.forEach((weight, index) => {
    n += weight;
    sumX += weight * (xs[index] ?? 0);
    sumY += weight * (ys[index] ?? 0);
  });
  let [xx, yy, xy] = [0, 0, 0];
  weights.forEach((weight, index) => {
    const [dx, dy] = [(xs[index] ?? 0) - sumX / n, (ys[index] ?? 0) - sumY / n];
    xx += weight * dx * dx;
    yy += weight * dy * dy;
    xy += weight * dx * dy;
  });
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

/** The range of the middle 95% of values. */
export function interval(values: readonly number[]): { low: number; high: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/**
 * Reproducible random numbers from 0 up to 1 (mulberry32 by Tommy Ettinger, public domain). For sampling, not for secrets.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A bootstrap sample: how often each of `count` members is drawn in `count` draws. */
export function drawWeights(count: number, random: () => number): number[] {
  const weights = new Array<number>(count).fill(0);
  for (let draw = 0; draw < count; draw++) {
    const member = Math.floor(random() * count);
    weights[member] = (weights[member] ?? 0) + 1;
  }
  return weights;
}
