import type { ReactNode } from "react";
import styles from "./section.module.css";

interface SectionProps {
  id: string;
  title: string;
  intro: ReactNode;
  children: ReactNode;
}

/** A page section: heading on one side, content on the other. */
export function Section({ id, title, intro, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles.section}>
      <div className={styles.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className={styles.intro}>{intro}</p>
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
