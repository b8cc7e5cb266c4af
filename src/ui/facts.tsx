import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** Names and what is known of each. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

interface FactProps {
  name: ReactNode;
  /** Said beside the value, or under it where space is short. */
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
