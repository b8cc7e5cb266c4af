import type { ReactNode } from "react";
import styles from "./accuracy.module.css";

interface QuestionProps {
  id: string;
  title: string;
  lead?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of the record: a question on one side, its answer in figures on the other. */
export function Question({ id, title, lead, aside, children }: QuestionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles.question}>
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        {lead && <p>{lead}</p>}
        {aside && <p>{aside}</p>}
      </div>
      <div className={styles.answer}>{children}</div>
    </section>
  );
}
