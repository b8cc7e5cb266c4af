"use client";

import { formatCount, formatQuantity } from "@/core/format";
import { trpc } from "../../_client/trpc";
import styles from "./discover.module.css";

/** The new niches left today. */
export function AllowanceNote() {
  const { data: allowance } = trpc.discovery.allowance.useQuery();
  // A line of its height, so that nothing shifts.
  if (!allowance) return <p className={styles.allowance}>&nbsp;</p>;
  const { new_niches_limit: limit, new_niches_today: used } = allowance;
  const left = Math.max(0, limit - used);
  return (
    <p className={styles.allowance}>
      <strong>
        {formatCount(left)} of {formatQuantity(limit, "new niche")} left today.
      </strong>{" "}
      {left > 0
        ? "A niche is new when we have no creators for it yet."
        : "More new niches wait in a queue. Known niches answer at once."}
    </p>
  );
}

/** What searching and tracking cost. */
export function CostNote() {
  const { data: usage } = trpc.usage.today.useQuery();
  return (
    <>
      Searching and tracking each use 1 of {usage ? `your ${formatCount(usage.requests_limit)}` : "your"} daily
      requests. Sorting and filtering are free.
    </>
  );
}
