/** A text on a chart: where it should stand, and how wide it is, in pixels. */
interface Label {
  at: number;
  width: number;
}

const SPACE = 8;

/**
 * Where labels stand in one row: centred on their points, moved inwards at the edges. One that would cover an earlier
 * label of the list has null.
 */
export function rowOf(labels: readonly Label[], width: number): (number | null)[] {
  const taken: { from: number; to: number }[] = [];
  return labels.map(({ at, width: own }) => {
    const from = Math.max(0, Math.min(at - own / 2, width - own));
    const to = from + own;
    if (own > width || taken.some((other) => from < other.to + SPACE && to > other.from - SPACE)) return null;
    taken.push({ from, to });
    return from + own / 2;
  });
}

/** Heights of labels beside the ends of lines, moved apart so that each has its line; in the order given. */
export function columnOf(heights: readonly number[], apart: number, height: number): number[] {
  const order = heights.map((at, place) => ({ at, place })).sort((left, right) => left.at - right.at);
  let least = 0;
  for (const label of order) {
    label.at = Math.max(label.at, least);
    least = label.at + apart;
  }
  let most = height;
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, most);
    most = label.at - apart;
  }
  return order.sort((left, right) => left.place - right.place).map(({ at }) => at);
}

/** Days to name below a chart, evenly spaced and ending with the last one. */
export function namedDays(count: number, width: number, perLabel: number): number[] {
  const most = Math.max(1, Math.floor(width / perLabel));
  const step = [1, 2, 7, 14, 28, 56, 91, 182, 364].find((days) => count / days <= most) ?? count;
  return Array.from({ length: Math.ceil(count / step) }, (_, place) => count - 1 - place * step).reverse();
}

/** A name, cut to the given number of characters. */
export function clipped(name: string, most: number): string {
  const letters = [...name];
  return letters.length <= most
    ? name
    : `${letters
        .slice(0, Math.max(1, most - 1))
        .join("")
        .trimEnd()}…`;
}
