import { formatCount } from "@/core/format";
import type { Reliability } from "@/features/backtest/schema";
import { formatBrier, formatOfHundred, summarizeBins } from "../record";
import styles from "./accuracy.module.css";
import { CalibrationDots } from "./calibration-dots";
import { Question } from "./question";

const LEAD =
  "Each dot is a group of weeks with about the same chance. On the line, what we said is what happened: above it we were too careful, below it too hopeful. Large dots are many weeks; the bars are 95% intervals.";

type ChancesProps = Record<"chance_7d" | "chance_28d", Reliability>;

/** Chances of 7 days beside what happened, as a picture and as a table. */
export function Chances({ chance_7d, chance_28d }: ChancesProps) {
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
      <Brier chance_7d={chance_7d} chance_28d={chance_28d} />
    </Question>
  );
}

/** The Brier scores in words, beside those of always giving the average. */
function Brier({ chance_7d, chance_28d }: ChancesProps) {
  const month = summarizeBins(chance_28d.bins);
  const compare = ({ brier, base_brier, bins }: Reliability) =>
    `${formatBrier(brier)}, always saying ${formatOfHundred(summarizeBins(bins).seen.share)}% gives ${formatBrier(base_brier)}`;
  return (
    <p className={styles.note}>
      The Brier score is the mean squared distance between the chance and what happened: 0 is perfect. Ours for 7 days
      is {compare(chance_7d)}. {month.weeks > 0 && <>For 28 days it is {compare(chance_28d)}.</>}
    </p>
  );
}
