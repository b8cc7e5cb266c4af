import type { ChartModel } from "./chart-model";
import { FORECAST_DAYS } from "./forecast";

/** The distance of a day from the left by its index. @param width of all days */
export function createDayScale(days: number, width: number): (day: number) => number {
  return (day) => (day / days) * width;
}

/** The layout of a chart, in pixels. */
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
