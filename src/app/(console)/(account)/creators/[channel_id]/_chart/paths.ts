import { area, line } from "d3-shape";
import type { Frame } from "./frame";

/** Values by day, oldest first; null is a day without one. */
export type Values = readonly (number | null)[];

type Scales = Pick<Frame, "x"> & { y: (value: number) => number };

const isKnown = (value: number | null) => value !== null;

/** A step line: each value is as wide as its day. A day without a value is a gap as wide. */
export function buildStepPath(values: Values, { x, y }: Scales): string {
  const path = line<number | null>(
    (_, edge) => x(toDay(edge)),
    (value) => y(value ?? 0),
  );
  return path.defined(isKnown)(repeat(values)) ?? "";
}

/** The area between the lowest and the highest value of each day, as steps; gaps as in the line. */
export function buildBandPath(lows: Values, highs: Values, { x, y }: Scales): string {
  const tops = repeat(highs);
  const band = area<number | null>(
    (_, edge) => x(toDay(edge)),
    (low) => y(low ?? 0),
    (_, edge) => y(tops[edge] ?? 0),
  );
  return band.defined(isKnown)(repeat(lows)) ?? "";
}

/** Each value at the left and at the right edge of its day. */
function repeat(values: Values): Values {
  return values.flatMap((value) => [value, value]);
}

/** The day that begins at an edge. */
function toDay(edge: number): number {
  return Math.ceil(edge / 2);
}
