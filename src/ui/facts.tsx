import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** A description list. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

interface FactProps {
  name: ReactNode;
  /** Shown beside the value, or below on narrow screens. */
  note?: string;
  children: ReactNode;
}

export function Fact({ name, note, children }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
