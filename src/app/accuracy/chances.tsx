import { sum } from "d3-array";
import { formatCount } from "@/core/format";
import type { Reliability } from "@/features/backtest/schema";
import { computeShare, formatOfHundred } from "../record";
import styles from "./accuracy.module.css";
import { CalibrationDots } from "./calibration-dots";
import { Question } from "./question";

const LEAD =
  "Each dot is a group of weeks with about the same chance. On the line, what we said is what happened: above it we were too careful, below it too hopeful. Large dots are many weeks; the bars are 95% intervals.";

/** Chances given beside what happened: one large picture for 7 days, and groups in one frame each. */
export function Chances({ chance_7d, chance_28d }: Record<"chance_7d" | "chance_28d", Reliability>) {
  const known = chance_7d.bins.filter(({ channels }) => channels > 0);
  if (known.length === 0)
    return (
      <Question id="chances" title="Do chances mean what they say?">
        <p>No chance is 7 days old yet. The dots appear with the first graded week.</p>
      </Question>
    );
  return (
    <Question id="chances" title="Do chances mean what they say?" lead={LEAD}>
      <div className={styles.chances}>
        <CalibrationDots label="Chance of 5% in 7 days: said and seen" bins={known} large />
        <table className={styles.table}>
          <caption className="visually-hidden">Chance of 5% in 7 days: said and seen</caption>
          <thead>
            <tr>
              <th scope="col">We said</th>
              <th scope="col">Weeks</th>
              <th scope="col">Grew 5%</th>
              <th scope="col">Seen</th>
            </tr>
          </thead>
          <tbody>
            {known.map(({ from, to, channels, seen }) => (
              <tr key={from}>
                <th scope="row">
                  {Math.round(100 * from)} to {Math.round(100 * to)}%
                </th>
                <td>{formatCount(channels)}</td>
                <td>{formatCount(Math.round(channels * (seen ?? 0)))}</td>
                <td>
                  <b>{formatOfHundred(seen ?? 0)}%</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Groups
        title="By horizon"
        groups={[
          { name: "+5% in 7 days", ...chance_7d },
          { name: "+20% in 28 days", ...chance_28d },
        ]}
      />
    </Question>
  );
}

/** The same picture group by group, all in one frame and scale. A group without weeks says so. */
export function Groups({
  title,
  groups,
}: {
  title: string;
  groups: readonly (Pick<Reliability, "bins"> & { name: string })[];
}) {
  return (
    <>
      <h3>{title}</h3>
      <div className={styles.groups}>
        {groups.map(({ name, bins }) => {
          const known = bins.filter(({ channels }) => channels > 0);
          const weeks = sum(known, ({ channels }) => channels);
          const said = sum(known, ({ channels, predicted }) => channels * (predicted ?? 0));
          const { came, share } = computeShare(
            sum(known, ({ channels, seen }) => channels * (seen ?? 0)),
            weeks,
          );
          return (
            <figure key={name}>
              {weeks > 0 && <CalibrationDots label={`${name}: said and seen`} bins={known} />}
              <figcaption>
                <b>{name}</b>
                {weeks === 0 ? (
                  <span>No outcomes yet: the first come that many days after the first score.</span>
                ) : (
                  <>
                    <span>said {formatOfHundred(said / weeks)}%</span>
                    <span>
                      seen <b>{formatOfHundred(share)}%</b>
                    </span>
                    <small>
                      {formatCount(Math.round(came))} of {formatCount(weeks)} weeks
                    </small>
                  </>
                )}
              </figcaption>
            </figure>
          );
        })}
      </div>
    </>
  );
}
