/** Values by day, oldest first; null is a day without one. */
export type Values = readonly (number | null)[];

/** The columns of a chart, one for each day, in pixels. */
export interface Columns {
  width: number;
  days: number;
}

/** The left edge of a day's column; of the day after the last, the right edge of the chart. */
export function leftOf({ width, days }: Columns, place: number): number {
  return round((place / days) * width);
}

/** The middle of a day's column. */
export function middleOf({ width, days }: Columns, place: number): number {
  return round(((place + 0.5) / days) * width);
}

/** The day whose column is at a distance from the left edge of the chart. */
export function placeAt({ width, days }: Columns, x: number): number {
  return Math.min(days - 1, Math.max(0, Math.floor((x / width) * days)));
}

/** A step line: each value is as wide as its day. A day without a value is a gap as wide. */
export function stepPath(values: Values, columns: Columns, y: (value: number) => number): string {
  let path = "";
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const isStart = (values[place - 1] ?? null) === null;
    path += isStart ? `M${leftOf(columns, place)} ${round(y(value))}` : `V${round(y(value))}`;
    path += `H${leftOf(columns, place + 1)}`;
  }
  return path;
}

/** A straight line from day to day. A day without a value is a gap; a value alone between gaps is a dot. */
export function linePath(values: Values, columns: Columns, y: (value: number) => number): string {
  let path = "";
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const isStart = (values[place - 1] ?? null) === null;
    path += `${isStart ? "M" : "L"}${middleOf(columns, place)} ${round(y(value))}`;
    if (isStart && (values[place + 1] ?? null) === null) path += "h0";
  }
  return path;
}

/** The area between the lowest and the highest value of each day, as steps; gaps as in the line. */
export function bandPath(
  lows: Values,
  highs: Values,
  columns: Columns,
  y: (value: number) => number,
): string {
  return runsOf(lows)
    .map(({ from, to }) => {
      const days = Array.from({ length: to - from }, (_, place) => from + place);
      const top = days.map((place) => `V${round(y(highs[place] ?? 0))}H${leftOf(columns, place + 1)}`);
      const bottom = days
        .toReversed()
        .map((place) => `V${round(y(lows[place] ?? 0))}H${leftOf(columns, place)}`);
      return `M${leftOf(columns, from)} ${round(y(lows[from] ?? 0))}${top.join("")}${bottom.join("")}Z`;
    })
    .join("");
}

/** Days with a value that follow each other: the first, and the day after the last. */
export function runsOf(values: Values): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const [place, value] of values.entries()) {
    const last = runs.at(-1);
    if (value === null) continue;
    if (last?.to === place) last.to++;
    else runs.push({ from: place, to: place + 1 });
  }
  return runs;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
