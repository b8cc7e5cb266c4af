import { useElementSize } from "@mantine/hooks";
import { nice, ticks } from "d3-array";
import { formatCount, formatDay, formatShortCount } from "@/core/format";
import styles from "./chart.module.css";
import { getDailyViews, getUsualViews } from "./daily-views";
import { createDayScale, type Frame, getRight } from "./frame";
import type { DayNote } from "./notes";
import { NoteColumns } from "./plot";
import type { SnapshotDay } from "./snapshot-days";

interface ViewsChartProps {
  days: readonly SnapshotDay[];
  /** Days to come that the chart above shows. */
  daysAhead: number;
  notes: readonly DayNote[];
  /** Whether the chart above names the ends of its lines, so that its days stand above these. */
  isCompared: boolean;
}

const HEIGHT = 84;
const TOP = 18;
const BOTTOM = 6;
const STEPS = 2;
/** Times the usual from which a day stands out. */
const STANDS_OUT = 2;

/** The views of each day as columns, on the days of the chart above. */
export function ViewsChart({ days, daysAhead, notes, isCompared }: ViewsChartProps) {
  const { ref, width } = useElementSize();
  const views = getDailyViews(days);
  const known = views.filter((count) => count !== null);
  if (known.length === 0) return null;
  const usual = getUsualViews(views);
  const right = getRight(width, isCompared);
  const plot = { width: Math.max(1, width - right), height: HEIGHT };
  const x = createDayScale(days.length + daysAhead, plot.width);
  const [low, high] = nice(Math.min(0, ...known), Math.max(1, ...known), STEPS);
  const y = (count: number) => HEIGHT * (1 - (count - low) / (high - low));
  const frame: Frame = { width, height: HEIGHT + TOP + BOTTOM, top: TOP, right, plot, x, y };
  const most = Math.max(...known);
  const day = formatDay(days[views.indexOf(most)]?.day ?? "");
  const label = `Views a day: at most ${formatCount(most)}, on ${day}${usual === null ? "" : `; usually ${formatCount(usual)}`}`;
  const drawn = { days, views, usual, frame };
  return (
    <div ref={ref} className={styles.views}>
      <p className={styles.viewsTitle}>
        <strong>Views a day</strong> from the channel’s total
      </p>
      {width > 0 && (
        <svg className={styles.plot} width={width} height={frame.height} role="img" aria-label={label}>
          <g transform={`translate(0 ${TOP})`}>
            <NoteColumns notes={notes} frame={frame} />
            {ticks(low, high, STEPS).map((tick) => (
              <g key={tick}>
                <path className={tick === 0 ? styles.zero : styles.grid} d={`M0 ${y(tick)}H${plot.width}`} />
                <text className={styles.tick} x={plot.width + 10} y={y(tick)} dy="0.35em">
                  {formatShortCount(tick)}
                </text>
              </g>
            ))}
            <Columns {...drawn} />
            {usual !== null && (
              <>
                <path className={styles.usual} d={`M0 ${y(usual)}H${x(days.length)}`} />
                <text className={styles.label} x="4" y={y(usual) - 6}>
                  usual, {formatShortCount(usual)} a day
                </text>
              </>
            )}
            <Peak {...drawn} />
          </g>
        </svg>
      )}
    </div>
  );
}

interface DrawnProps {
  days: readonly SnapshotDay[];
  views: readonly (number | null)[];
  usual: number | null;
  frame: Frame;
}

function Columns({ days, views, usual, frame: { x, y } }: DrawnProps) {
  return views.map((count, index) => {
    if (count === null || count === 0) return null;
    const left = x(index + 0.15);
    return (
      <rect
        key={days[index]?.day}
        className={styles.column}
        data-negative={count < 0 || undefined}
        data-high={(usual !== null && count >= STANDS_OUT * usual) || undefined}
        x={left}
        width={Math.max(1, x(index + 0.85) - left)}
        y={Math.min(y(0), y(count))}
        height={Math.max(1, Math.abs(y(count) - y(0)))}
        rx="1.5"
      />
    );
  });
}

/** The day with the most views, with its number. */
function Peak({ days, views, frame: { x, y, plot } }: DrawnProps) {
  const most = Math.max(...views.map((count) => count ?? 0));
  const index = views.indexOf(most);
  const at = Math.min(Math.max(x(index + 0.5), 48), plot.width - 48);
  return (
    most > 0 && (
      <text className={styles.label} x={at} y={y(most) - 6} textAnchor="middle">
        <tspan className={styles.strong}>{formatShortCount(most)}</tspan> on {formatDay(days[index]?.day ?? "")}
      </text>
    )
  );
}
