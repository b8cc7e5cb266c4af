"use client";

import { formatCount, formatQuantity } from "@/core/format";
import { trpc } from "../../_client/trpc";
import { Distance } from "../../_ui/times";
import styles from "./shell.module.css";

/** How fresh the data is: the last daily run and the next one. */
export function StatusStrip() {
  const { data } = trpc.snapshots.status.useQuery();
  if (!data) return <p className={styles.status} />;
  const { last_run: run, run_overdue, next_run_at } = data;
  const isWell = run?.finished_at && run.failed === 0 && !run_overdue;
  return (
    <p className={styles.status}>
      <span className={styles.light} data-well={isWell ? true : undefined} aria-hidden />
      <span>
        <strong>Last run</strong> {run === null && "none yet"}
        {run?.finished_at === null && "under way"}
        {run?.finished_at && <Distance at={run.finished_at} />}
        {run && run.planned > 0 && (
          <span className={styles.more}>
            , {formatCount(run.read + run.unavailable)} of {formatQuantity(run.planned, "channel")} read
            {run.failed > 0 && `, ${formatCount(run.failed)} failed`}
          </span>
        )}
      </span>
      <span>
        {run_overdue ? (
          <strong>Today's run is late</strong>
        ) : (
          <>
            <strong>Next run</strong> <Distance at={next_run_at} />
          </>
        )}
      </span>
    </p>
  );
}
