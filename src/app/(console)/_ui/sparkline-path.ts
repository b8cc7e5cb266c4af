/** What a sparkline draws, in the units of its view box. */
export interface SparklineShape {
  /** The line: `d` of an SVG path. */
  path: string;
  /** The area between the line and the start: `d` of an SVG path. */
  area: string;
  /** The last count. */
  end: { x: number; y: number };
  /** Height of the start, which the line is compared with. */
  zero: number;
  /** From the first count to the last one. */
  direction: "up" | "down" | "flat";
  /** Where the line leaves the scale, if it does. */
  beyond: { x: number; end: "top" | "bottom" }[];
}

export const WIDTH = 96;
export const HEIGHT = 24;
const MARGIN = 2;
/** Percent from the first count. Every sparkline has this scale, so that two of them can be compared. */
const SCALE = { min: -10, max: 40 };

/**
 * A step line of daily counts, oldest first, in percent of the first one. A null is a gap; a count alone between gaps
 * is a dot. Null where no count is known or the first one is zero.
 */
export function buildSparklineShape(counts: readonly (number | null)[]): SparklineShape | null {
  const known = counts.filter((count) => count !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || last === undefined) return null;
  const toPercent = (count: number) => (count / first - 1) * 100;
  const toX = (index: number) =>
    round(MARGIN + (index / Math.max(1, counts.length - 1)) * (WIDTH - 2 * MARGIN));
  let path = "";
  let area = "";
  let end = { x: 0, y: 0 };
  const beyond: SparklineShape["beyond"] = [];
  for (const [index, count] of counts.entries()) {
    if (count === null) continue;
    const [before, after] = [counts[index - 1] ?? null, counts[index + 1] ?? null];
    const height = toY(toPercent(count));
    path += before === null ? `M${toX(index)} ${height}` : `H${toX(index)}V${height}`;
    area += before === null ? `M${toX(index)} ${toY(0)}V${height}` : `H${toX(index)}V${height}`;
    if (after === null) area += `V${toY(0)}Z`;
    end = { x: toX(index), y: height };
    if (before === null && after === null) path += "h0";
    if (toPercent(count) > SCALE.max) beyond.push({ x: toX(index), end: "top" });
    if (toPercent(count) < SCALE.min) beyond.push({ x: toX(index), end: "bottom" });
  }
  const direction = last > first ? "up" : last < first ? "down" : "flat";
  return { path, area, end, zero: toY(0), direction, beyond: listEndMarks(beyond) };
}

function toY(percent: number): number {
  const { min, max } = SCALE;
  const share = (Math.min(Math.max(percent, min), max) - min) / (max - min);
  return round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN));
}

/** One mark for each end of the scale, at the last day beyond it. */
function listEndMarks(beyond: SparklineShape["beyond"]): SparklineShape["beyond"] {
  return (["top", "bottom"] as const).flatMap((end) => beyond.findLast((mark) => mark.end === end) ?? []);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
