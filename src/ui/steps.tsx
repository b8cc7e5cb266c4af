import type { ReactNode } from "react";
import styles from "./steps.module.css";

/** What happens in order, numbered. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles.steps}>{children}</ol>;
}

interface StepProps {
  title: string;
  /** The call or the hour it happens by. */
  by: string;
  children: ReactNode;
}

export function Step({ title, by, children }: StepProps) {
  return (
    <li className={styles.step}>
      <h3>{title}</h3>
      <p>{children}</p>
      <code>{by}</code>
    </li>
  );
}
