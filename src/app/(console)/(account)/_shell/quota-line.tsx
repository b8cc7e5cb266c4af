"use client";

import { formatCount } from "@/ui/format";
import { trpc } from "../../_client/trpc";
import { Distance } from "../../_ui/times";
import styles from "./shell.module.css";

/**
 * What is left of the key's day. A failure is told by the pages, which ask for more. Asked whenever the reader comes
 * back to the page, by the browser's Back too: the session may have ended elsewhere, and then the page is left.
 */
export function QuotaLine() {
  const { data } = trpc.usage.today.useQuery(undefined, { refetchOnWindowFocus: "always" });
  if (!data) return <span className={styles.quota} />;
  const left = Math.max(0, data.requests_limit - data.requests_today);
  return (
    <span className={styles.quota}>
      <strong>{formatCount(left)}</strong> of {formatCount(data.requests_limit)} left
      <span className={styles.until}>
        , resets <Distance at={data.resets_at} />
      </span>
    </span>
  );
}
