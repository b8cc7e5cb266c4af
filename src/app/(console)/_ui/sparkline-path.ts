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
const SCALE = { least: -10, most: 40 };

/**
 * A step line of daily counts, oldest first, in percent of the first one. A null is a gap; a count alone between gaps
 * is a dot. Null where no count is known or the first one is zero.
 */
export function sparklineShape(counts: readonly (number | null)[]): SparklineShape | null {
  const known = counts.filter((count) => count !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || last === undefined) return null;
  const percent = (count: number) => (count / first - 1) * 100;
  const x = (place: number) =>
    round(MARGIN + (place / Math.max(1, counts.length - 1)) * (WIDTH - 2 * MARGIN));
  let path = "";
  let area = "";
  let end = { x: 0, y: 0 };
  const beyond: SparklineShape["beyond"] = [];
  for (const [place, count] of counts.entries()) {
    if (count === null) continue;
    const [before, after] = [counts[place - 1] ?? null, counts[place + 1] ?? null];
    const height = yOf(percent(count));
    path += before === null ? `M${x(place)} ${height}` : `H${x(place)}V${height}`;
    area += before === null ? `M${x(place)} ${yOf(0)}V${height}` : `H${x(place)}V${height}`;
    if (after === null) area += `V${yOf(0)}Z`;
    end = { x: x(place), y: height };
    if (before === null && after === null) path += "h0";
    if (percent(count) > SCALE.most) beyond.push({ x: x(place), end: "top" });
    if (percent(count) < SCALE.least) beyond.push({ x: x(place), end: "bottom" });
  }
  const direction = last > first ? "up" : last < first ? "down" : "flat";
  return { path, area, end, zero: yOf(0), direction, beyond: endsOf(beyond) };
}

function yOf(percent: number): number {
  const { least, most } = SCALE;
  const share = (Math.min(Math.max(percent, least), most) - least) / (most - least);
  return round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN));
}

/** One mark for each end of the scale, at the last day beyond it. */
function endsOf(beyond: SparklineShape["beyond"]): SparklineShape["beyond"] {
  return (["top", "bottom"] as const).flatMap((end) => beyond.findLast((mark) => mark.end === end) ?? []);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
