import { type CSSProperties, Fragment } from "react";
import { formatDate, formatQuantity } from "@/core/format";
import type { Accuracy, Grades } from "@/features/alerts/outcomes.service";
import type { StoredCorrection } from "@/features/backtest/correction.service";
import { DataTable } from "@/ui/data-table";
import { formatBrier, formatCounted, formatOfHundred } from "../record";
import styles from "./accuracy.module.css";
import { Correction } from "./chances";
import { Question } from "./method";

const OUTLOOKS = {
  sustained: ["Sustained", "grew 5% the week before"],
  single_day: ["Single day", "grew less before"],
  recovery: ["Recovery", "back to an earlier count"],
  too_early: ["Too early", "under 7 days of snapshots"],
} as const;

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });
const countGraded = ({ held, faded }: Grades) => held + faded;
const toPercent = (grades: Grades) => Math.round((100 * grades.held) / countGraded(grades));

interface AlertRecordProps extends Accuracy {
  corrections: readonly StoredCorrection[];
}

/** What became of alerts after 7 and 28 days. Only groups with grades are shown. */
export function AlertRecord({ from, to, rises, horizons, held_chance, corrections }: AlertRecordProps) {
  const week = horizons.find(({ days }) => days === 7);
  if (!week || countGraded(week.rises) === 0)
    return (
      <Question id="alerts" title="What became of alerts?">
        <p>
          {rises === 0 ? "There was no alert yet." : "No alert is 7 days old yet."} Each one is graded 7 and 28 days
          after it came: did the creator go on growing?
        </p>
      </Question>
    );
  const month = horizons.find(({ days }) => days === 28);
  const lead = (
    <>
      <b>{formatCounted(week.rises.held, countGraded(week.rises))}</b> jumps kept growing ({toPercent(week.rises)}%): at
      least half as much again in 7 days.
      {month &&
        countGraded(month.rises) > 0 &&
        ` After 28 days, ${formatCounted(month.rises.held, countGraded(month.rises))} had gained as much again.`}{" "}
      Alerts from {formatDate(from)} to {formatDate(to)}; those at most 7 days apart are one jump.
    </>
  );
  return (
    <Question id="alerts" title="What became of alerts?" lead={lead}>
      <div className={styles.alerts}>
        <Months months={week.by_month} />
        <Outlooks labels={week.by_label} />
      </div>
      {held_chance && (
        <>
          <h3>The chance that came with each alert</h3>
          <p className={styles.note}>
            Alerts came with a chance of {formatOfHundred(held_chance.predicted)}% to hold, on average. Of{" "}
            {formatQuantity(held_chance.graded, "graded alert")}, <b>{formatOfHundred(held_chance.seen)}%</b> held. The
            Brier score of these chances is {formatBrier(held_chance.brier)}. Always saying{" "}
            {formatOfHundred(held_chance.seen)}% gives {formatBrier(held_chance.base_brier)}.
          </p>
          <Correction of="held_chance" graded={held_chance.graded} corrections={corrections} />
        </>
      )}
    </Question>
  );
}

type Week = Accuracy["horizons"][number];

function Months({ months }: { months: Week["by_month"] }) {
  const graded = months.filter(({ rises }) => countGraded(rises) > 0).toReversed();
  const most = Math.max(...graded.map(({ rises }) => countGraded(rises)));
  return (
    <figure>
      <figcaption className={styles.legend}>
        <span data-held>Held</span>
        <span>Faded</span>
        <small>jumps by month</small>
      </figcaption>
      <ol className={styles.months}>
        {graded.map(({ month, rises }) => (
          <li key={month} style={{ "--height": `${(100 * countGraded(rises)) / most}%` } as CSSProperties}>
            <span className={styles.column}>
              {rises.faded > 0 && <i style={{ flexGrow: rises.faded }}>{rises.faded}</i>}
              {rises.held > 0 && (
                <i data-held style={{ flexGrow: rises.held }}>
                  {rises.held}
                </i>
              )}
            </span>
            {MONTH.format(Date.parse(`${month}-01`))} <b>{toPercent(rises)}%</b>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function Outlooks({ labels }: { labels: Week["by_label"] }) {
  const graded = labels.filter((one) => countGraded(one) > 0);
  return (
    <DataTable
      caption="Alerts that held after 7 days, by outlook"
      columns={["Outlook", "Held", "7 days later"]}
      rows={graded.map((one) => {
        const [name, meaning] = OUTLOOKS[one.label];
        return [
          <Fragment key="outlook">
            {name} <small>{meaning}</small>
          </Fragment>,
          <span key="held" className={styles.bar} aria-hidden>
            <i data-held style={{ width: `${toPercent(one)}%` }} />
          </span>,
          <Fragment key="later">
            <b>{toPercent(one)}%</b>
            <small>{formatCounted(one.held, countGraded(one))}</small>
          </Fragment>,
        ];
      })}
      isCompact
    />
  );
}
