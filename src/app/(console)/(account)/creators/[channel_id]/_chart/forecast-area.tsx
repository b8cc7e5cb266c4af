import { formatDay, formatShortCount } from "@/core/format";
import { addDays } from "@/core/time";
import styles from "./chart.module.css";
import { FORECAST_DAYS } from "./chart-model";
import type { PlotProps } from "./plot";

/** Widths and distances, in pixels. */
const LABEL = { range: 150, day: 80, held: 64, line: 16, below: 24, above: 14 };
const MARK = 16;

/** The days to come: the expected range as a wedge, and the count that an alert needs to be held. */
export function ForecastArea({ model, frame }: PlotProps) {
  const { days, lines, forecast } = model;
  const value = lines[0]?.values.at(-1) ?? null;
  if (!forecast || value === null) return null;
  const { plot, x, y } = frame;
  const from = x(days.length);
  const { range, held } = forecast;
  const width = plot.width - from;
  const lastDay = addDays(days.at(-1)?.day ?? "", FORECAST_DAYS);
  return (
    <>
      <rect className={styles.future} x={from} y="0" width={width} height={plot.height} />
      {width >= LABEL.day && (
        <text className={styles.tick} x={plot.width} y={plot.height + 20} textAnchor="end">
          {formatDay(lastDay)}
        </text>
      )}
      {range && (
        <>
          <path className={styles.wedge} d={`M${from} ${y(value)}L${plot.width} ${y(range.high)}V${y(range.low)}Z`} />
          {[range.low, range.high].map((end) => (
            <path key={end} className={styles.edge} d={`M${from} ${y(value)}L${plot.width} ${y(end)}`} />
          ))}
          {width >= LABEL.range && (
            <text
              className={styles.label}
              x={from + 8}
              y={findLabelTop(y(range.high), Math.max(y(value), y(range.low)), plot.height)}
            >
              <tspan className={styles.strong}>Expected, 8 in 10</tspan>
              <tspan x={from + 8} dy={LABEL.line}>
                {formatShortCount(range.low)} to {formatShortCount(range.high)} on {formatDay(lastDay)}
              </tspan>
            </text>
          )}
        </>
      )}
      {held && (
        <>
          <path className={styles.held} d={`M${x(held.index + 0.5) - MARK} ${y(held.count)}h${2 * MARK}`} />
          <circle className={styles.heldPoint} cx={x(held.index + 0.5)} cy={y(held.count)} r="3" />
          <text
            className={styles.label}
            x={Math.min(plot.width, x(held.index + 0.5) + LABEL.held)}
            y={y(held.count) - 9}
            textAnchor="end"
          >
            {width >= LABEL.range ? `${held.label}, ${formatDay(held.day)}` : held.label}
          </text>
        </>
      )}
    </>
  );
}

/** Below the wedge, or above it where there is no room. */
function findLabelTop(top: number, bottom: number, height: number): number {
  const below = bottom + LABEL.below;
  return below + LABEL.line < height - MARK ? below : top - LABEL.line - LABEL.above;
}
