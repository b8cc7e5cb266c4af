import type { ChartModel } from "./chart-model";
import type { Columns } from "./paths";

/** The layout of a chart, in pixels. */
export interface Frame {
  width: number;
  height: number;
  /** Above the lines, for the labels of alerts. */
  top: number;
  /** Beside them, for the axis and the ends of the lines. */
  right: number;
  plot: { width: number; height: number };
  columns: Columns;
}

/** Below this width a chart is lower and its labels are shorter. */
const NARROW = 460;
const TOP = 30;
const BOTTOM = 28;
/** Of a letter of the labels. */
export const LETTER = 6.7;

/** @param isCompared whether the ends of the lines have names */
export function buildFrame(width: number, days: number, isCompared: boolean): Frame {
  const isNarrow = width < NARROW;
  const height = isNarrow ? 280 : 340;
  const right = isCompared ? (isNarrow ? 104 : 176) : 60;
  const plot = { width: Math.max(1, width - right), height: height - TOP - BOTTOM };
  return { width, height, top: TOP, right, plot, columns: { width: plot.width, days } };
}

/** Returns a value's distance from the top of the plot. */
export function createHeightScale(
  { axis }: Pick<ChartModel, "axis">,
  { plot }: Frame,
): (value: number) => number {
  return (value) => Math.round((1 - axis.share(value)) * plot.height * 10) / 10;
}
