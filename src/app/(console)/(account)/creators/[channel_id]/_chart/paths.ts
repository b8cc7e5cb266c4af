/** Values by day, oldest first; null is a day without one. */
export type Values = readonly (number | null)[];

/** The columns of a chart, one for each day, in pixels. */
export interface Columns {
  width: number;
  days: number;
}

/** The left edge of a day's column; of the day after the last, the right edge of the chart. */
export function getLeft({ width, days }: Columns, index: number): number {
  return round((index / days) * width);
}

/** The middle of a day's column. */
export function getMiddle({ width, days }: Columns, index: number): number {
  return round(((index + 0.5) / days) * width);
}

/** The day whose column is at a distance from the left edge of the chart. */
export function getIndexAt({ width, days }: Columns, x: number): number {
  return Math.min(days - 1, Math.max(0, Math.floor((x / width) * days)));
}

/** A step line: each value is as wide as its day. A day without a value is a gap as wide. */
export function buildStepPath(values: Values, columns: Columns, y: (value: number) => number): string {
  let path = "";
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const isStart = (values[index - 1] ?? null) === null;
    path += isStart ? `M${getLeft(columns, index)} ${round(y(value))}` : `V${round(y(value))}`;
    path += `H${getLeft(columns, index + 1)}`;
  }
  return path;
}

/** A straight line from day to day. A day without a value is a gap; a value alone between gaps is a dot. */
export function buildLinePath(values: Values, columns: Columns, y: (value: number) => number): string {
  let path = "";
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const isStart = (values[index - 1] ?? null) === null;
    path += `${isStart ? "M" : "L"}${getMiddle(columns, index)} ${round(y(value))}`;
    if (isStart && (values[index + 1] ?? null) === null) path += "h0";
  }
  return path;
}

/** The area between the lowest and the highest value of each day, as steps; gaps as in the line. */
export function buildBandPath(
  lows: Values,
  highs: Values,
  columns: Columns,
  y: (value: number) => number,
): string {
  return listRuns(lows)
    .map(({ from, to }) => {
      const days = Array.from({ length: to - from }, (_, index) => from + index);
      const top = days.map((index) => `V${round(y(highs[index] ?? 0))}H${getLeft(columns, index + 1)}`);
      const bottom = days
        .toReversed()
        .map((index) => `V${round(y(lows[index] ?? 0))}H${getLeft(columns, index)}`);
      return `M${getLeft(columns, from)} ${round(y(lows[from] ?? 0))}${top.join("")}${bottom.join("")}Z`;
    })
    .join("");
}

/** Days with a value that follow each other: the first, and the day after the last. */
export function listRuns(values: Values): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const [index, value] of values.entries()) {
    const last = runs.at(-1);
    if (value === null) continue;
    if (last?.to === index) last.to++;
    else runs.push({ from: index, to: index + 1 });
  }
  return runs;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
