import { formatDate } from "@/core/format";
import { addDays } from "@/core/time";
import type { Accuracy } from "@/features/backtest/comparison.service";
import { formatCounted } from "../record";
import styles from "./accuracy.module.css";
import { Question } from "./question";

const LEAD =
  "A range “8 in 10” should hold eight of ten outcomes: fewer is overconfident, more is vague. Counts that stand still at the edge of a range are inside.";
/** Share of outcomes that a likely range should hold. */
const PROMISED = 80;

/** How often growth ended in the likely range, after 7 and after 28 days. */
export function RangeRecord({ ranges, first_day }: Pick<Accuracy, "ranges" | "first_day">) {
  return (
    <Question id="ranges" title="Did the range hold what came?" lead={LEAD}>
      <div className={styles.coverages}>
        {([7, 28] as const).map((days) => (
          <div key={days}>
            <h3>Next {days} days</h3>
            <Coverage {...ranges[days]} since={addDays(first_day, days)} />
          </div>
        ))}
      </div>
    </Question>
  );
}

function Coverage({ channels, coverage, since }: Accuracy["ranges"][7] & { since: string }) {
  if (coverage === null) return <p>The share that held will stand here from {formatDate(since)} on.</p>;
  return (
    <>
      <div className={styles.coverage} aria-hidden>
        <i style={{ width: `${100 * coverage}%` }} />
        <span style={{ left: `${PROMISED}%` }}>{PROMISED} promised</span>
      </div>
      <p>
        Ranges held <b>{Math.round(100 * coverage)}</b> of 100
        <small>{formatCounted(Math.round(coverage * channels), channels)}</small>
      </p>
    </>
  );
}
