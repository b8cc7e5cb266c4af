import type { ReactNode } from "react";
import styles from "./notice.module.css";

/** A full-width notice above the page. */
export function Notice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className={styles.notice}>
      <strong className={styles.label}>{label}</strong> {children}
    </p>
  );
}
