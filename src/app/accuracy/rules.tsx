import { Fragment } from "react";
import { formatDate } from "@/core/format";
import { addDays } from "@/core/time";
import type { Accuracy } from "@/features/backtest/comparison.service";
import { DataTable } from "@/ui/data-table";
import { computeShare, formatCounted, formatOfHundred, summarizeLevels } from "../record";
import styles from "./accuracy.module.css";
import { Question } from "./method";

const RANKINGS = [
  ["score", "Our score"],
  ["g7", "Growth over 7 days"],
  ["g14", "Growth over 14 days"],
  ["g28", "Growth over 28 days"],
  ["views", "Views of 7 days"],
  ["size", "Most subscribers"],
] as const;
const LEAD =
  "Each rule puts its best 5% of creators of a day on a list. How many of them grew 5% or more in the week after?";

/** The score beside simple rules, on the same days and creators. */
export function Rules(record: Accuracy) {
  const { average } = summarizeLevels(record);
  const rows = [
    ...RANKINGS.map(([id, name]) => ({
      id,
      name,
      ...computeShare(record.lists[id].came, record.lists[id].picked),
      rho: record.rankings[id].rho.toFixed(2).replace("-", "−"),
    })),
    { id: "any", name: "Any creators", ...average, rho: "" },
  ];
  return (
    <Question id="rules" title="Is the score worth it?" lead={LEAD}>
      <DataTable
        caption="Creators of each list that grew 5% or more in 7 days"
        columns={["Ranked by", "Grew 5% or more", "In 7 days", "Rank correlation"]}
        rows={rows.map(({ id, name, share, came, of, rho }) => [
          name,
          <span key="bar" className={styles.bar} aria-hidden>
            <i data-strong={id === "score" || undefined} style={{ width: `${100 * share}%` }} />
          </span>,
          <Fragment key="share">
            <b>{formatOfHundred(share)}</b> of 100
            <small>{formatCounted(came, of)}</small>
          </Fragment>,
          rho,
        ])}
        isCompact
      />
      <p className={styles.note}>
        Rank correlation: Spearman’s, with the growth of the next 7 days; 1 is the same order, 0 is none.
      </p>
    </Question>
  );
}

const RANGES_LEAD =
  "A range “8 in 10” should hold eight of ten outcomes: fewer is overconfident, more is vague. Counts that stand still at the edge of a range are inside.";
/** Share of outcomes that a likely range should hold. */
const PROMISED = 80;

/** How often growth ended in the likely range, after 7 and after 28 days. */
export function RangeRecord({ ranges, first_day }: Pick<Accuracy, "ranges" | "first_day">) {
  return (
    <Question id="ranges" title="Did the range hold what came?" lead={RANGES_LEAD}>
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
