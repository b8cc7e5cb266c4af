import type { ReactNode } from "react";
import styles from "./facts.module.css";

interface FactProps {
  name: ReactNode;
  /** Shown beside the value, or below on narrow screens. */
  note?: string;
  children: ReactNode;
}

/** A name and its value in a description list. */
export function Fact({ name, note, children }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
