import { area, line } from "d3-shape";
import type { Frame } from "./frame";

/** Values by day, oldest first; null is a day without one. */
export type Values = readonly (number | null)[];

interface Point {
  x: number;
  low: number | null;
  high: number | null;
}

type Scales = Pick<Frame, "x"> & { y: (value: number) => number };

const isKnown = ({ low }: Point) => low !== null;

/** A step line: each value is as wide as its day. A day without a value is a gap as wide. */
export function buildStepPath(values: Values, { x, y }: Scales): string {
  return drawLine(listEdges(values, values, x), y);
}

/** A straight line from day to day. A day without a value is a gap; a value alone between gaps is a dot. */
export function buildLinePath(values: Values, { x, y }: Scales): string {
  return drawLine(
    values.map((value, index) => ({ x: x(index + 0.5), low: value, high: value })),
    y,
  );
}

/** The area between the lowest and the highest value of each day, as steps; gaps as in the line. */
export function buildBandPath(lows: Values, highs: Values, { x, y }: Scales): string {
  const band = area<Point>()
    .defined(isKnown)
    .x((point) => point.x)
    .y0(({ low }) => y(low ?? 0))
    .y1(({ high }) => y(high ?? 0));
  return band(listEdges(lows, highs, x)) ?? "";
}

function drawLine(points: Point[], y: Scales["y"]): string {
  const path = line<Point>()
    .defined(isKnown)
    .x((point) => point.x)
    .y(({ low }) => y(low ?? 0));
  return path(points) ?? "";
}

/** The left and the right edge of each day. */
function listEdges(lows: Values, highs: Values, x: Scales["x"]): Point[] {
  return lows.flatMap((low, index) =>
    [index, index + 1].map((edge) => ({ x: x(edge), low, high: highs[index] ?? null })),
  );
}
