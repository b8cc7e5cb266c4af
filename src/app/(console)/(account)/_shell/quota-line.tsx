"use client";

import { formatCount } from "@/core/format";
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
      <svg className={styles.meter} viewBox="0 0 64 3" aria-hidden>
        <rect width="64" height="3" rx="1.5" />
        <rect data-left width={(64 * left) / data.requests_limit} height="3" rx="1.5" />
      </svg>
      <span>
        <strong>{formatCount(left)}</strong> of {formatCount(data.requests_limit)}{" "}
        <span className={styles.more}>requests </span>left
        <span className={styles.more}>
          , resets <Distance at={data.resets_at} />
        </span>
      </span>
    </span>
  );
}
