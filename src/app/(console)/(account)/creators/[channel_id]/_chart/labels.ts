interface Label {
  at: number;
  width: number;
}

const SPACE = 8;

/** Labels in one row with their centers, moved inwards at the edges; null for one that would cover an earlier label. */
export function layOutRow<Item extends Label>(labels: readonly Item[], width: number) {
  const taken: { from: number; to: number }[] = [];
  return labels.map((label): Item & { center: number | null } => {
    const from = Math.max(0, Math.min(label.at - label.width / 2, width - label.width));
    const to = from + label.width;
    if (label.width > width || taken.some((other) => from < other.to + SPACE && to > other.from - SPACE))
      return { ...label, center: null };
    taken.push({ from, to });
    return { ...label, center: from + label.width / 2 };
  });
}

/** Labels in one column, moved apart so that none overlap; in the order given. */
export function layOutColumn<Item extends Pick<Label, "at">>(labels: readonly Item[], apart: number, height: number) {
  const moved = labels.map((label) => ({ ...label }));
  const order = moved.toSorted((left, right) => left.at - right.at);
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
  return moved;
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
