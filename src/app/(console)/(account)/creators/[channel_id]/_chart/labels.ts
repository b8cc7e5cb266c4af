/** A label on a chart: its wanted center and width, in pixels. */
interface Label {
  at: number;
  width: number;
}

const SPACE = 8;

/** Centers of labels in one row, moved inwards at the edges; null for one that would cover an earlier label. */
export function layOutRow(labels: readonly Label[], width: number): (number | null)[] {
  const taken: { from: number; to: number }[] = [];
  return labels.map(({ at, width: own }) => {
    const from = Math.max(0, Math.min(at - own / 2, width - own));
    const to = from + own;
    if (own > width || taken.some((other) => from < other.to + SPACE && to > other.from - SPACE)) return null;
    taken.push({ from, to });
    return from + own / 2;
  });
}

/** Heights of labels, moved apart so that none overlap; in the order given. */
export function layOutColumn(heights: readonly number[], apart: number, height: number): number[] {
  const order = heights.map((at, index) => ({ at, index })).sort((left, right) => left.at - right.at);
  let min = 0;
  for (const label of order) {
    label.at = Math.max(label.at, min);
    min = label.at + apart;
  }
  let max = height;
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, max);
    max = label.at - apart;
  }
  return order.sort((left, right) => left.index - right.index).map(({ at }) => at);
}

/** Days to name below a chart, evenly spaced and ending with the last one. */
export function listLabelledDays(count: number, width: number, perLabel: number): number[] {
  const maxLabels = Math.max(1, Math.floor(width / perLabel));
  const step = [1, 2, 7, 14, 28, 56, 91, 182, 364].find((days) => count / days <= maxLabels) ?? count;
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step).reverse();
}

/** A name, cut to the given number of characters. */
export function clipText(name: string, maxLength: number): string {
  const letters = [...name];
  return letters.length <= maxLength
    ? name
    : `${letters
        .slice(0, Math.max(1, maxLength - 1))
        .join("")
        .trimEnd()}…`;
}
