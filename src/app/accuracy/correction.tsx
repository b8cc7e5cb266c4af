import { formatCount, formatDate, formatQuantity } from "@/core/format";
import type { StoredCorrection } from "@/features/backtest/correction.service";
import { type Corrected, correctChance, MIN_GRADED } from "@/features/growth/correction.rules";
import { formatOfHundred } from "../record";
import styles from "./accuracy.module.css";

interface CorrectionProps {
  of: Corrected;
  /** Subject of a sentence. */
  name: string;
  /** What the grades are called, in the singular. */
  unit: string;
  graded: number;
  corrections: readonly StoredCorrection[];
}

/** How the record corrects a chance since when, or from how many grades on it will. */
export function Correction({ of, name, unit, graded, corrections }: CorrectionProps) {
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
