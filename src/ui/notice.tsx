import type { ReactNode } from "react";
import styles from "./notice.module.css";

/** A strip over the whole width that qualifies all that follows. */
export function Notice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className={styles.notice}>
      <strong className={styles.label}>{label}</strong> {children}
    </p>
  );
}
