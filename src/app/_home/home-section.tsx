import type { ReactNode } from "react";
import styles from "./home.module.css";

interface HomeSectionProps {
  id: string;
  title: string;
  lead: ReactNode;
  children?: ReactNode;
}

/** A section of the home page. */
export function HomeSection({ id, title, lead, children }: HomeSectionProps) {
  return (
    <section id={id} className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        <p>{lead}</p>
      </div>
      {children}
    </section>
  );
}
