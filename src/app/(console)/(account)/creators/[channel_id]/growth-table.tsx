import { formatGrowth, formatQuantity, formatShortCount } from "@/core/format";
import type { CreatorDetails } from "@/features/creators/schema";
import type { Range } from "@/features/growth/calibration.rules";
import { describeRange, Growth, getDirection, getStaleDay, isMeasured, toCounts } from "../../../_ui/numbers";
import styles from "./creator.module.css";
import { Section } from "./section";

/** Growth over 1, 7 and 28 days with the range that rounding allows, and the ranges expected next. */
export function GrowthTable(creator: CreatorDetails) {
  const { counts, growth, subscribers, expected_7d, expected_28d } = creator;
  if (counts === "hidden")
    return (
      <Section title="Growth">
        <p className={styles.none}>The channel hides its subscribers, so there is no growth to show.</p>
      </Section>
    );
  const stale = getStaleDay(creator);
  return (
    <Section title="Growth">
      <table className={styles.growth}>
        <thead>
          <tr>
            <th scope="col">Over</th>
            <th scope="col">Counts</th>
            <th scope="col">Shown</th>
            <th scope="col">True range</th>
          </tr>
        </thead>
        <tbody>
          {growth.map((window) => {
            const known = isMeasured(window) ? window : null;
            const counts = known && [known.subscribers_before, known.subscribers_after].map(formatShortCount);
            return (
              <tr key={window.days}>
                <th scope="row">{formatQuantity(window.days, "day")}</th>
                <td>{counts?.join(" → ")}</td>
                <td className={styles.shown} data-direction={known && getDirection(known)}>
                  {known ? formatGrowth(known.percent) : <Growth percent={null} />}
                </td>
                <td>{known && describeRange(known)}</td>
              </tr>
            );
          })}
          <Expected days={7} count={subscribers} range={expected_7d} />
          <Expected days={28} count={subscribers} range={expected_28d} />
        </tbody>
      </table>
      <p className={styles.caption}>
        {stale && `The last snapshot is of ${stale}, so no growth is up to date. `}
        Grey: the range includes zero, so it may have grown or shrunk. A dash: no snapshot of that day, or a hidden
        count. Expected ranges hold 8 in 10 times: <a href="/accuracy">how often they did</a>.
      </p>
    </Section>
  );
}

/** @param count the latest one */
function Expected({ days, count, range }: { days: number; count: number | null; range: Range | null }) {
  if (count === null || range === null) return null;
  const { low, high } = toCounts(count, range);
  return (
    <tr>
      <th scope="row">Next {formatQuantity(days, "day")}</th>
      <td>
        {formatShortCount(count)} → {formatShortCount(low)} to {formatShortCount(high)}
      </td>
      <td>expected</td>
      <td>{describeRange(range)}</td>
    </tr>
  );
}
