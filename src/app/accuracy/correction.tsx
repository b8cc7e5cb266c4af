import { formatCount, formatDate, formatQuantity } from "@/core/format";
import type { StoredCorrection } from "@/features/backtest/correction.service";
import { type Corrected, correctChance, MIN_GRADED } from "@/features/growth/correction.rules";
import { formatOfHundred } from "../record";
import styles from "./accuracy.module.css";

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
