"use client";

import { formatCount } from "@/ui/format";
import { trpc } from "../../_client/trpc";
import { Distance } from "../../_ui/times";
import styles from "./shell.module.css";

/**
 * Requests left today. Refetched whenever the reader returns to the page, including by Back, so that an ended session
 * is noticed. Pages show its errors.
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
