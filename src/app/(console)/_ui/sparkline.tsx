import { area, curveStepAfter, line } from "d3-shape";
import styles from "./sparkline.module.css";

const WIDTH = 104;
const HEIGHT = 32;
const MARGIN = 3;
/** Percent from the first count at the lower end, and at the upper end of the scales. */
const MIN = -10;
const SCALES = [40, 80, 150] as const;
/** Share of the lines that a scale holds; the others leave it with an arrow. */
const HELD = 0.9;

type Counts = readonly (number | null)[];
export type Scale = (typeof SCALES)[number];

/** The smallest scale, by its upper end in percent, that holds most lines of a table, so that all of them compare. */
export function chooseScale(lines: readonly Counts[]): Scale {
  const peaks = lines.map((counts) => Math.max(...toPercents(counts).map((percent) => percent ?? 0)));
  return SCALES.find((max) => peaks.filter((peak) => peak <= max).length >= HELD * peaks.length) ?? SCALES[2];
}

function toPercents(counts: Counts): (number | null)[] {
  const first = counts.find((count) => count !== null);
  return counts.map((count) => (first && count !== null ? (count / first - 1) * 100 : null));
}

/**
 * Daily counts, oldest first, as a small step line in percent of the first one; a null is a gap. Decorative: the
 * numbers are shown beside it. Nothing where no count is known or the first one is zero.
 */
export function Sparkline({ counts, max = SCALES[0] }: { counts: Counts; max?: Scale }) {
  const percents = toPercents(counts);
  if (percents.every((percent) => percent === null)) return null;
  // Not by d3-scale, which would weigh more than the rest of the table.
  const toY = (percent: number) => HEIGHT - MARGIN - ((percent - MIN) / (max - MIN)) * (HEIGHT - 2 * MARGIN);
  const toX = (index: number) => MARGIN + (index / Math.max(1, counts.length - 1)) * (WIDTH - 2 * MARGIN);
  const end = percents.findLastIndex((percent) => percent !== null);
  const last = percents[end] ?? 0;
  const isKnown = (percent: number | null) => percent !== null;
  const x = (_: unknown, index: number) => toX(index);
  const y = (percent: number | null) => toY(percent ?? 0);
  const path = line<number | null>(x, y).defined(isKnown).curve(curveStepAfter);
  const filled = area<number | null>(x, toY(0), y).defined(isKnown).curve(curveStepAfter);
  return (
    <svg
      className={styles.sparkline}
      data-direction={last > 0 ? "up" : last < 0 ? "down" : "flat"}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path className={styles.zero} d={`M0 ${toY(0)}H${WIDTH}`} />
      <path className={styles.area} d={filled(percents) ?? ""} />
      <path d={path(percents) ?? ""} />
      {/* Out of sight beyond the scale. A round cap keeps its form where the line is stretched. */}
      <path className={styles.end} d={`M${toX(end)} ${toY(last)}h0`} />
      <Beyond x={toX(percents.findLastIndex((percent) => (percent ?? 0) > max))} y={1} height={4} />
      <Beyond x={toX(percents.findLastIndex((percent) => (percent ?? 0) < MIN))} y={HEIGHT - 1} height={-4} />
    </svg>
  );
}

/** Marks the last day on which the line is beyond the scale; nothing where `x` is left of it. */
function Beyond({ x, y, height }: { x: number; y: number; height: number }) {
  return x >= MARGIN && <path d={`M${x - 3} ${y + height}L${x} ${y}L${x + 3} ${y + height}`} />;
}
