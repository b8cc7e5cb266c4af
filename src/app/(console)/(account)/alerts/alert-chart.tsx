"use client";

import { scaleLinear } from "d3-scale";
import { formatDay, formatRoundCount, formatShortCount } from "@/core/format";
import { addDays, DAY, type Day, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { InboxAlert } from "@/features/alerts/inbox.schema";
import { computeHeldCount, HORIZONS, type Horizon } from "@/features/alerts/outcomes.rules";
import { getSeverityLevel } from "@/features/alerts/rules";
import type { HistorySnapshot } from "@/features/creators/schema";
import { createAxis } from "../../_ui/axis";
import { buildStepPath, type Values } from "../creators/[channel_id]/_chart/paths";
import styles from "./alert-chart.module.css";

/** The range of the growth over the next 7 days, in percent. */
interface ExpectedGrowth {
  low: number;
  high: number;
}

export interface AlertChartProps {
  alert: InboxAlert;
  /** Oldest first. */
  history: readonly HistorySnapshot[];
  /** From the latest snapshot; null where it is not known. */
  expected: ExpectedGrowth | null;
}

const WIDTH = 420;
const HEIGHT = 264;
const PLOT = { width: 364, height: 228, top: 12 };
/** Of two labels of the axis, and of two days below it. */
const APART = { tick: 14, day: 52 };
const DAYS_BEFORE = 29;
const EXPECTED_DAYS = 7;
const MARK = 14;

/**
 * The counts around an alert, with what it needs at its grades and where the count is expected next.
 */
export function AlertChart({ alert, history, expected }: AlertChartProps) {
  const chart = layOutChart(alert, history, expected);
  if (!chart) return <p>Snapshots of these days are not kept any more.</p>;
  const { days, values, x, y, ticks, alertAt, last, wedge, marks } = chart;
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        Subscribers{wedge ? " and the expected range of the next 7 days" : ""}
      </figcaption>
      <svg className={styles.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={describeChart(chart)}>
        <g transform={`translate(0 ${PLOT.top})`}>
          {ticks.map((tick) => (
            <path key={tick} className={styles.grid} d={`M0 ${y(tick)}H${PLOT.width}`} />
          ))}
          {wedge && (
            <>
              <path className={styles.fan} d={`M${wedge.x} ${wedge.y}L${wedge.end} ${wedge.high}V${wedge.low}Z`} />
              <path
                className={styles.edge}
                d={`M${wedge.x} ${wedge.y}L${wedge.end} ${wedge.high}M${wedge.x} ${wedge.y}L${wedge.end} ${wedge.low}`}
              />
            </>
          )}
          <path className={styles.line} d={buildStepPath(values, { x, y })} />
          {marks.map(({ horizon, at, count }) => (
            <g key={horizon}>
              <path className={styles.held} d={`M${x(at) - MARK} ${y(count)}H${Math.min(PLOT.width, x(at) + MARK)}`} />
              <text
                className={styles.heldText}
                x={Math.min(PLOT.width, x(at) + MARK)}
                y={y(count) + 15}
                textAnchor="end"
              >
                held from {formatShortCount(count)}
              </text>
            </g>
          ))}
          <Uploads alert={alert} days={days} x={x} />
          {alertAt && (
            <path
              className={styles.diamond}
              fill={getSeverityLevel(alert.severity).color}
              d={`M${alertAt.x} ${alertAt.y - 6}l6 6l-6 6l-6 -6Z`}
            />
          )}
          <Labels ticks={ticks} last={last} y={y} />
          {layOutDays(chart, alert.day).map((index) => (
            <text
              key={index}
              className={styles.label}
              x={x(index + 0.5)}
              y={PLOT.height + 20}
              textAnchor={index === 0 ? "start" : "middle"}
            >
              {formatDay(days[index] ?? alert.day)}
            </text>
          ))}
        </g>
      </svg>
    </figure>
  );
}

type Chart = NonNullable<ReturnType<typeof layOutChart>>;

function layOutChart(alert: InboxAlert, history: readonly HistorySnapshot[], expected: ExpectedGrowth | null) {
  const latest = history.at(-1)?.day;
  if (!latest) return null;
  const to = latest < addDays(alert.day, 28) ? latest : addDays(alert.day, 28);
  const from = addDays(to < addDays(alert.day, 7) ? to : addDays(alert.day, 7), -DAYS_BEFORE);
  const shown = history.filter(({ day }) => day >= from && day <= to);
  const first = shown[0]?.day;
  const known = shown.flatMap(({ subscribers }) => subscribers ?? []);
  const count = known.at(-1);
  if (!first || known.length < 2 || count === undefined) return null;
  const isOpen = expected !== null && to === latest;
  const end = [to, isOpen ? addDays(to, EXPECTED_DAYS) : to, addDays(alert.day, 7)].toSorted().at(-1) ?? to;
  const days = listDays(first, end);
  const byDay = new Map(shown.map(({ day, subscribers }) => [day, subscribers]));
  const values: Values = days.filter((day) => day <= to).map((day) => byDay.get(day) ?? null);
  const marks = HORIZONS.map((horizon: Horizon) => ({
    horizon,
    at: days.indexOf(addDays(alert.day, horizon)) + 0.5,
    count: computeHeldCount(alert.subscribers_before, alert.subscribers_after, horizon),
  })).filter(({ at }) => at > 0);
  const bounds = isOpen ? [expected.low, expected.high].map((percent) => count * (1 + percent / 100)) : [];
  const axis = createAxis([...known, ...marks.map((mark) => mark.count), ...bounds]);
  const x = scaleLinear([0, days.length], [0, PLOT.width]);
  const y = (value: number) => Math.round((1 - axis.share(value)) * PLOT.height * 10) / 10;
  const at = days.indexOf(alert.day);
  const [low, high] = bounds;
  return {
    days,
    values,
    x,
    y,
    ticks: axis.ticks,
    alertAt: at < 0 ? null : { x: x(at), y: y(values[at] ?? alert.subscribers_after) },
    last: count,
    marks,
    wedge:
      low === undefined || high === undefined
        ? null
        : { x: x(values.length), y: y(count), end: x(values.length + EXPECTED_DAYS), low: y(low), high: y(high) },
  };
}

function listDays(from: Day, to: Day): Day[] {
  const count = Math.round((startOfDay(to).getTime() - startOfDay(from).getTime()) / DAY) + 1;
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}

/** The first and the last day, and the alert's own where there is room. */
function layOutDays({ days, x }: Chart, alertDay: Day): number[] {
  const shown: number[] = [];
  for (const index of [days.indexOf(alertDay), 0, days.length - 1])
    if (index >= 0 && shown.every((other) => Math.abs(x(other) - x(index)) >= APART.day)) shown.push(index);
  return shown;
}

/** The counts at the right. The latest replaces ticks close to it. */
function Labels({ ticks, last, y }: Pick<Chart, "ticks" | "last" | "y">) {
  return (
    <>
      {ticks
        .filter((tick) => Math.abs(y(tick) - y(last)) >= APART.tick)
        .map((tick) => (
          <text key={tick} className={styles.label} x={PLOT.width + 8} y={y(tick)} dy="0.35em">
            {formatRoundCount(tick)}
          </text>
        ))}
      <text className={styles.last} x={PLOT.width + 8} y={y(last)} dy="0.35em">
        {formatShortCount(last)}
      </text>
    </>
  );
}

/** The videos of the cause, on the axis at their time: a triangle, or a ring for a Short. */
function Uploads({ alert, days, x }: { alert: InboxAlert } & Pick<Chart, "days" | "x">) {
  return alert.cause.videos.map(({ video_id, published_at, is_short }) => {
    const published = published_at === null ? null : toDate(published_at);
    const index = published ? days.indexOf(toUtcDay(published)) : -1;
    if (!published || index < 0) return null;
    const at = x(index + (published.getTime() - startOfDay(toUtcDay(published)).getTime()) / DAY);
    if (is_short) return <circle key={video_id} className={styles.ring} cx={at} cy={PLOT.height - 5} r="3.5" />;
    return <path key={video_id} className={styles.upload} d={`M${at - 4.5} ${PLOT.height - 1}h9l-4.5 -8Z`} />;
  });
}

function describeChart({ days, values, marks, last }: Chart): string {
  const first = values.find((value) => value !== null) ?? 0;
  const needed = marks.map(({ at, count }) => `${formatShortCount(count)} on ${formatDay(days[Math.floor(at)] ?? "")}`);
  const counts = `${formatShortCount(first)} to ${formatShortCount(last)} subscribers since ${formatDay(days[0] ?? "")}`;
  return `${counts}. Held from ${needed.join(" and ")}`;
}
