import { type ReactNode, useId } from "react";
import styles from "./creator.module.css";

interface SectionProps {
  title: string;
  aside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a creator's page, named by its level 2 heading. */
export function Section({ title, aside, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.bar}>
        <h2 id={id}>{title}</h2>
        {aside && <div className={styles.aside}>{aside}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
