import { formatCount, formatDate, formatQuantity } from "@/core/format";
import type { Reliability } from "@/features/backtest/chances.rules";
import type { StoredCorrection } from "@/features/backtest/correction.service";
import { type Corrected, correctChance, MIN_GRADED } from "@/features/growth/correction.rules";
import { DataTable } from "@/ui/data-table";
import { computeShare, formatBrier, formatOfHundred, summarizeBins } from "../record";
import styles from "./accuracy.module.css";
import { Question } from "./method";

const LEAD =
  "Each dot is a group of weeks with about the same chance. On the line, what we said is what happened: above it we were too careful, below it too hopeful. Large dots are many weeks; the bars are 95% intervals.";

interface ChancesProps extends Record<"chance_7d" | "chance_28d", Reliability> {
  corrections: readonly StoredCorrection[];
}

/** Chances of 7 days beside what happened, as a picture and as a table. */
export function Chances({ chance_7d, chance_28d, corrections }: ChancesProps) {
  const known = chance_7d.bins.filter(({ channels }) => channels > 0);
  const month = summarizeBins(chance_28d.bins);
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
      <p className={styles.note}>
        The Brier score is the mean squared distance between the chance and what happened: 0 is perfect. Ours for 7 days
        is {compareBrier(chance_7d)}. {month.weeks > 0 && <>For 28 days it is {compareBrier(chance_28d)}.</>}
      </p>
      <Correction of="chance_7d" graded={summarizeBins(chance_7d.bins).weeks} corrections={corrections} />
      <Correction of="chance_28d" graded={month.weeks} corrections={corrections} />
    </Question>
  );
}

/** A Brier score beside that of always giving the average. */
function compareBrier({ brier, base_brier, bins }: Reliability): string {
  return `${formatBrier(brier)}, always saying ${formatOfHundred(summarizeBins(bins).seen.share)}% gives ${formatBrier(base_brier)}`;
}

/** Each chance as the subject of a sentence, and what one of its grades is called. */
const WORDS: Readonly<Record<Corrected, { name: string; unit: string }>> = {
  chance_7d: { name: "Chances of 7 days", unit: "graded week" },
  chance_28d: { name: "Chances of 28 days", unit: "graded chance" },
  held_chance: { name: "These chances", unit: "graded alert" },
};

interface CorrectionProps {
  of: Corrected;
  graded: number;
  corrections: readonly StoredCorrection[];
}

/** How the record corrects a chance since when, or from how many grades on it will. */
export function Correction({ of, graded, corrections }: CorrectionProps) {
  const { name, unit } = WORDS[of];
  const correction = corrections.find(({ chance }) => chance === of);
  if (!correction)
    return (
      <p className={styles.note}>
        {name} are corrected by this record from {formatQuantity(MIN_GRADED[of], unit)} on. So far it has{" "}
        {formatCount(graded)}.
      </p>
    );
  const shift = (chance: number) => `${formatOfHundred(correctChance(chance, correction))}%`;
  return (
    <p className={styles.note}>
      {name} are corrected by this record, last on {formatDate(correction.fittedOn)} from{" "}
      {formatQuantity(correction.graded, unit)}: 5% is given as {shift(0.05)}, 20% as {shift(0.2)}, 50% as {shift(0.5)}.
      The grades here are of chances before the correction.
    </p>
  );
}

const SIDE = 280;
const TICKS = [0, 25, 50, 75, 100];

/** Chance given against share that came, as dots by their number, with 95% intervals. Only a large picture has axes. */
export function CalibrationDots({ label, bins, large }: { label: string; bins: Reliability["bins"]; large?: boolean }) {
  const most = Math.max(...bins.map(({ channels }) => channels));
  const toY = (share: number) => SIDE * (1 - share);
  return (
    <svg className={styles.dots} viewBox={large ? "-40 -12 332 336" : "-6 -6 292 292"} role="img" aria-label={label}>
      <rect width={SIDE} height={SIDE} rx="4" className={styles.frame} />
      <path d={`M0 ${SIDE}L${SIDE} 0`} className={styles.diagonal} />
      {large &&
        TICKS.map((tick) => (
          <g key={tick}>
            <text x={-10} y={toY(tick / 100) + 4} textAnchor="end">
              {tick}
            </text>
            <text x={(SIDE * tick) / 100} y={SIDE + 18} textAnchor="middle">
              {tick}
            </text>
          </g>
        ))}
      {bins.map(({ from, channels, predicted, seen }) => {
        const { low, high } = computeShare(channels * (seen ?? 0), channels);
        const x = SIDE * (predicted ?? 0);
        return (
          <g key={from}>
            <path d={`M${x} ${toY(low)}V${toY(high)}`} className={styles.interval} />
            <circle cx={x} cy={toY(seen ?? 0)} r={(large ? 3 : 6) + 6 * Math.sqrt(channels / most)} />
          </g>
        );
      })}
      {large && (
        <>
          <text x={8} y={16}>
            it happened, %
          </text>
          <text x={SIDE / 2} y={SIDE + 36} textAnchor="middle">
            we said, %
          </text>
        </>
      )}
    </svg>
  );
}
