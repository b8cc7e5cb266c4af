"use client";

import { useElementSize } from "@mantine/hooks";
import { scaleLinear } from "d3-scale";
import { formatCount, formatDay, formatShortCount } from "@/core/format";
import styles from "./chart.module.css";
import { getDailyViews, getUsualViews } from "./daily-views";
import { type Frame, getRight } from "./frame";
import type { DayNote } from "./notes";
import { NoteColumns } from "./plot";
import type { SnapshotDay } from "./snapshot-days";

interface ViewsChartProps {
  days: readonly SnapshotDay[];
  notes: readonly DayNote[];
  /** Whether the chart above names the ends of its lines, so that its days stand above these. */
  isCompared: boolean;
}

const HEIGHT = 84;
const TOP = 18;

/** The views of each day as columns, on the days of the chart above. */
export function ViewsChart({ days, notes, isCompared }: ViewsChartProps) {
  const { ref, width } = useElementSize();
  const views = getDailyViews(days);
  const known = views.filter((count) => count !== null);
  if (known.length === 0) return null;
  const usual = getUsualViews(views);
  const right = getRight(width, isCompared);
  const plot = { width: Math.max(1, width - right), height: HEIGHT };
  const x = scaleLinear([0, days.length], [0, plot.width]);
  const y = scaleLinear([Math.min(0, ...known), Math.max(1, ...known)], [HEIGHT, 0]);
  const frame: Frame = { width, height: HEIGHT + TOP, top: TOP, right, plot, x, y };
  return (
    <div ref={ref} className={styles.views}>
      <p className={styles.viewsTitle}>
        <strong>Views a day</strong> from the channel’s total
      </p>
      {width > 0 && (
        <svg className={styles.plot} width={width} height={HEIGHT + TOP} role="img" aria-label={describe(days, views)}>
          <g transform={`translate(0 ${TOP})`}>
            <NoteColumns notes={notes} frame={frame} />
            {views.map((count, index) => (
              <Column key={days[index]?.day} count={count} index={index} frame={frame} />
            ))}
            <path className={styles.zero} d={`M0 ${y(0)}H${plot.width}`} />
            {usual !== null && <Usual usual={usual} frame={frame} />}
            <Peak views={views} frame={frame} />
          </g>
        </svg>
      )}
    </div>
  );
}

function Column({ count, index, frame: { x, y } }: { count: number | null; index: number; frame: Frame }) {
  if (count === null || count === 0) return null;
  const left = x(index + 0.15);
  return (
    <rect
      className={styles.column}
      data-negative={count < 0 || undefined}
      x={left}
      width={Math.max(1, x(index + 0.85) - left)}
      y={Math.min(y(0), y(count))}
      height={Math.max(1, Math.abs(y(count) - y(0)))}
    />
  );
}

function Usual({ usual, frame: { plot, y } }: { usual: number; frame: Frame }) {
  return (
    <>
      <path className={styles.usual} d={`M0 ${y(usual)}H${plot.width}`} />
      <text className={styles.tick} x={plot.width + 10} y={y(usual)} dy="0.35em">
        {formatShortCount(usual)}
      </text>
    </>
  );
}

/** The day with the most views, with its number. */
function Peak({ views, frame: { x, y, plot } }: { views: readonly (number | null)[]; frame: Frame }) {
  const most = Math.max(...views.map((count) => count ?? 0));
  const index = views.indexOf(most);
  const at = Math.min(Math.max(x(index + 0.5), 24), plot.width - 24);
  return (
    most > 0 && (
      <text className={styles.end} x={at} y={y(most) - 5} textAnchor="middle">
        {formatShortCount(most)}
      </text>
    )
  );
}

function describe(days: readonly SnapshotDay[], views: readonly (number | null)[]): string {
  const most = Math.max(...views.map((count) => count ?? Number.NEGATIVE_INFINITY));
  const day = formatDay(days[views.indexOf(most)]?.day ?? "");
  const usual = getUsualViews(views);
  return `Views a day: at most ${formatCount(most)}, on ${day}${usual === null ? "" : `; usually ${formatCount(usual)}`}`;
}
