import type { ReactNode } from "react";
import styles from "./steps.module.css";

/** Numbered steps. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles.steps}>{children}</ol>;
}

interface StepProps {
  title: string;
  /** The endpoint or time of the step. */
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
