"use client";

import { formatCount, formatDay } from "@/core/format";
import type { Day } from "@/core/time";
import type { SnapshotDay } from "./_chart/snapshot-days";
import styles from "./creator.module.css";

const MEASURES = ["subscribers", "views", "videos"] as const;

/** The charted numbers as a table, newest day first. */
export function SnapshotTable({ days, alertDays }: { days: readonly SnapshotDay[]; alertDays: readonly Day[] }) {
  return (
    <details className={styles.table}>
      <summary>View as table</summary>
      <table className={styles.rows}>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">Subscribers</th>
            <th scope="col">Views</th>
            <th scope="col">Videos</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, snapshot }) => (
            <tr key={day}>
              <th scope="row">
                {formatDay(day)}
                {alertDays.includes(day) && " ▲ alert"}
              </th>
              {snapshot ? (
                MEASURES.map((measure) => <Cell key={measure} count={snapshot[measure]} />)
              ) : (
                <td colSpan={3} className={styles.unknown}>
                  no snapshot
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Cell({ count }: { count: number | null }) {
  if (count === null) return <td className={styles.unknown}>hidden</td>;
  return <td>{formatCount(count)}</td>;
}
