"use client";

import { formatCount, formatQuantity } from "@/core/format";
import { trpc } from "../../_client/trpc";
import styles from "./discover.module.css";

/** The new niches of today, for the head of the page. */
export function AllowanceNote() {
  const { data: allowance } = trpc.discovery.allowance.useQuery();
  // A line of its height, so that nothing shifts.
  if (!allowance) return <p className={styles.allowance}>&nbsp;</p>;
  const { new_niches_limit: limit, new_niches_today: used } = allowance;
  const left = Math.max(0, limit - used);
  return (
    <p className={styles.allowance} title="A niche is new when it has no creators here yet. Others answer at once.">
      <span className={styles.meter} aria-hidden>
        {Array.from({ length: limit }, (_, index) => `niche ${index}`).map((niche, index) => (
          <i key={niche} data-left={index < left || undefined} />
        ))}
      </span>
      <span>
        <strong>
          {formatCount(left)} of {formatQuantity(limit, "new niche")}
        </strong>{" "}
        left today
        {left === 0 && "; more wait in a queue"}
      </span>
    </p>
  );
}

/** What can be typed, and what it costs. */
export function CostNotes() {
  return (
    <ul className={styles.notes}>
      <li>
        <strong>Any words</strong> find a niche
      </li>
      <li>
        <strong>@handle</strong> or <strong>link</strong> adds a creator
      </li>
      <li>
        <strong>Many lines</strong> add them all
      </li>
      <li>1 request each; sorting and filtering are free</li>
    </ul>
  );
}
