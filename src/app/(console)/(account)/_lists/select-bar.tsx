import type { ReactNode } from "react";
import { formatCount } from "@/core/format";
import styles from "./select-bar.module.css";

interface SelectBarProps {
  selected: number;
  /** What the action costs, such as `1 of 1,993 requests`. */
  cost?: string;
  isBusy: boolean;
  children: ReactNode;
}

/** The bar that floats while creators are selected. Its actions are off while other rows are on their way. */
export function SelectBar({ selected, cost, isBusy, children }: SelectBarProps) {
  return (
    <section className={styles.bar} aria-label="Selected creators">
      <fieldset disabled={isBusy} className={styles.actions}>
        <span role="status" className={styles.text}>
          <strong>{formatCount(selected)} selected</strong>
          {cost && `, uses ${cost}`}
        </span>
        {children}
      </fieldset>
    </section>
  );
}
