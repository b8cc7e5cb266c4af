import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** A name and its value in a description list, with a note beside or below the value. */
export function Fact({ name, note, children }: { name: ReactNode; note?: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
