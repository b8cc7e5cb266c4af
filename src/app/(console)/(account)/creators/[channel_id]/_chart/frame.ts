import { area, line } from "d3-shape";
import { type ChartModel, FORECAST_DAYS } from "./chart-model";

/** The distance of a day from the left by its index. @param width of all days */
export function createDayScale(days: number, width: number): (day: number) => number {
  return (day) => (day / days) * width;
}

export interface Frame {
  width: number;
  height: number;
  /** Above the lines, for the labels of alerts. */
  top: number;
  /** Beside them, for the axis and the ends of the lines. */
  right: number;
  plot: { width: number; height: number };
  /** Where the column of a day begins, by index. It ends where the next one begins. */
  x(day: number): number;
  /** A value's distance from the top of the plot. */
  y(value: number): number;
}

/** Below this width a chart is lower and its labels are shorter. */
const NARROW = 460;
const TOP = 30;
const BOTTOM = 28;
/** Of a letter of the labels. */
export const LETTER = 6.7;

/** The layout of a chart of a width. The ends of compared lines have names, which need room. */
export function buildFrame(width: number, { days, since, axis, forecast }: ChartModel): Frame {
  const height = width < NARROW ? 280 : 340;
  const right = getRight(width, since !== null);
  const plot = { width: Math.max(1, width - right), height: height - TOP - BOTTOM };
  return {
    width,
    height,
    top: TOP,
    right,
    plot,
    x: createDayScale(days.length + (forecast ? FORECAST_DAYS : 0), plot.width),
    y: (value) => Math.round((1 - axis.share(value)) * plot.height * 10) / 10,
  };
}

/** The room at the right of the plot. @param isCompared whether the ends of lines have names */
export function getRight(width: number, isCompared: boolean): number {
  if (!isCompared) return 60;
  return width < NARROW ? 104 : 176;
}

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
