import { formatCount, formatDay, formatQuantity } from "@/core/format";
import type { UsageByDay } from "@/features/usage/schema";
import { createAxis } from "../../_ui/axis";
import styles from "./usage-chart.module.css";

/** Below this share of the limit, its line would flatten the bars. */
const LINE_FROM = 0.2;
/** A label stands below each fifth bar. */
const LABEL_EVERY = 5;

interface UsageChartProps extends UsageByDay {
  limit: number;
  /** Accessible summary of the chart. */
  label: string;
}

/** One bar per day, with the limit as a line when in range. */
export function UsageChart({ days, limit, label }: UsageChartProps) {
  const peak = Math.max(...days.map(({ requests }) => requests));
  const showsLimit = peak >= limit * LINE_FROM;
  const { ticks, format, share } = createAxis([0, showsLimit ? Math.max(peak, limit) : peak]);
  const toPercent = (requests: number) => `${100 * share(requests)}%`;
  return (
    <div role="img" aria-label={label} className={styles.chart}>
      {ticks.map((tick) => (
        <div key={tick} className={styles.tick} style={{ bottom: toPercent(tick) }}>
          <span>{format(tick)}</span>
        </div>
      ))}
      <div className={styles.bars}>
        {days.map(({ day, requests }, index) => (
          <div key={day} className={styles.day} title={`${formatDay(day)}: ${formatQuantity(requests, "request")}`}>
            <div className={styles.bar} style={{ height: toPercent(requests) }} />
            {index % LABEL_EVERY === LABEL_EVERY - 1 && <span className={styles.label}>{formatDay(day)}</span>}
          </div>
        ))}
      </div>
      {showsLimit && (
        <div className={styles.limit} style={{ bottom: toPercent(limit) }}>
          <span>Limit {formatCount(limit)}</span>
        </div>
      )}
    </div>
  );
}
