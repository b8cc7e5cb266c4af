import { formatCount } from "@/core/format";
import type { Reliability } from "@/features/backtest/chances.rules";
import type { StoredCorrection } from "@/features/backtest/correction.service";
import { DataTable } from "@/ui/data-table";
import { formatBrier, formatOfHundred, summarizeBins } from "../record";
import styles from "./accuracy.module.css";
import { CalibrationDots } from "./calibration-dots";
import { Correction } from "./correction";
import { Question } from "./question";

const LEAD =
  "Each dot is a group of weeks with about the same chance. On the line, what we said is what happened: above it we were too careful, below it too hopeful. Large dots are many weeks; the bars are 95% intervals.";

interface ChancesProps extends Record<"chance_7d" | "chance_28d", Reliability> {
  corrections: readonly StoredCorrection[];
}

/** Chances of 7 days beside what happened, as a picture and as a table. */
export function Chances({ chance_7d, chance_28d, corrections }: ChancesProps) {
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
        <DataTable
          caption="Chance of 5% in 7 days: said and seen"
          columns={["We said", "Weeks", "Grew 5%", "Seen"]}
          rows={known.map(({ from, to, channels, seen }) => [
            `${Math.round(100 * from)} to ${Math.round(100 * to)}%`,
            formatCount(channels),
            formatCount(Math.round(channels * (seen ?? 0))),
            <b key="seen">{formatOfHundred(seen ?? 0)}%</b>,
          ])}
          isCompact
        />
      </div>
      <Brier chance_7d={chance_7d} chance_28d={chance_28d} />
      <Correction of="chance_7d" graded={summarizeBins(chance_7d.bins).weeks} corrections={corrections} />
      <Correction of="chance_28d" graded={summarizeBins(chance_28d.bins).weeks} corrections={corrections} />
    </Question>
  );
}

/** The Brier scores in words, beside those of always giving the average. */
function Brier({ chance_7d, chance_28d }: Omit<ChancesProps, "corrections">) {
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
