"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import type { Alert } from "@/features/alerts/schema";
import { formatCount, formatQuantity } from "@/ui/format";
import { LATEST, SHOWN } from "../../_client/todays-alerts";
import { trpc } from "../../_client/trpc";
import { useTodaysAlerts } from "../../_client/use-todays-alerts";
import { SeverityBadge } from "../../_ui/badges";
import { FailureNotice } from "../../_ui/failure-notice";
import { Distance, Instant } from "../../_ui/times";
import styles from "./status-strip.module.css";

/** One line on how fresh the data is, and the day's alerts. The header shows the requests left. */
export function StatusStrip() {
  const status = trpc.snapshots.status.useQuery();
  const alerts = useTodaysAlerts();
  const failed = [status, alerts].find(({ error, data }) => error && !data);
  if (failed) return <FailureNotice error={failed.error} retry={() => failed.refetch()} />;
  const { last_run: run, next_run_at } = status.data ?? {};
  const total = alerts.data?.pagination.total;
  return (
    <div className={styles.strip} aria-busy={!status.data || !alerts.data}>
      <Item name="Last snapshot">
        {run === null && "none yet"}
        {run?.finished_at === null && "under way"}
        {run?.finished_at && <Distance at={run.finished_at} />}
        {run && (
          <span className={styles.more}>
            {formatCount(run.read + run.unavailable)} of {formatQuantity(run.planned, "channel")}
            {run.failed > 0 && `, ${formatCount(run.failed)} failed`}
          </span>
        )}
      </Item>
      <Item name="Next">
        {next_run_at && (
          <>
            <Distance at={next_run_at} />
            <span className={styles.more}>
              <Instant at={next_run_at} />
            </span>
          </>
        )}
      </Item>
      <section aria-label="Alerts today" className={styles.alerts}>
        <Item name="Alerts today">
          <Link href="/alerts">{total === undefined ? "" : total === 0 ? "none" : formatCount(total)}</Link>
        </Item>
        {total === 0 && <LatestAlert />}
        {alerts.data?.alerts.map((alert) => (
          <AlertLine key={alert.channel_id} {...alert} />
        ))}
        {total !== undefined && total > SHOWN && (
          <span className={styles.more}>and {formatCount(total - SHOWN)} more</span>
        )}
      </section>
    </div>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className={styles.item}>
      <span className={styles.name}>{name}</span> {children}
    </span>
  );
}

/** The latest alert, on a day without alerts. */
function LatestAlert() {
  const { data } = trpc.alerts.list.useQuery(LATEST);
  const latest = data?.alerts[0];
  if (!latest) return null;
  return (
    <>
      <span className={styles.more}>
        Latest <Distance at={latest.created_at} />:
      </span>
      <AlertLine {...latest} />
    </>
  );
}

function AlertLine({ severity, message }: Alert) {
  return (
    <span className={styles.alert}>
      <SeverityBadge severity={severity} /> <span dir="auto">{message}</span>
    </span>
  );
}
