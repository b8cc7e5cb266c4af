import type { ReactNode } from "react";
import styles from "./home.module.css";

/** The heading of a section of the home page, with its lead beside it. */
export function SectionHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.sectionHead}>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}
