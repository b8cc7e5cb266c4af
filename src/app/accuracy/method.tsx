import type { ReactNode } from "react";
import styles from "./accuracy.module.css";

const FACTS = [
  [
    "What is graded",
    "Each morning, the scores of 7 days ago of all creators with 100 subscribers and more, against the count of today. Chances of 28 days are graded 28 days later.",
  ],
  [
    "Held and faded",
    "Held: the creator gained at least half as many subscribers again within 7 days, or as many within 28. Faded: it gained less. Alerts without a count are unclear and left out.",
  ],
  [
    "Rounding",
    "The platform cuts counts to three digits. A grade of an alert that rounding could turn around is unclear, and left out too.",
  ],
  [
    "The score",
    "Recent growth (65%), growth over 28 days (15%) and the growth that views point to (20%), on a logarithmic scale, then persistence, views per subscriber and size. Short histories are adjusted so scores compare.",
  ],
  [
    "No peeking",
    "A score uses snapshots up to its day only. It was fitted on 2,100 channels of 2022, 2023 and early 2026, and one half of them was used once, to test.",
  ],
  [
    "Where it is weak",
    "Jumps from one video: most fade, and we often cannot tell which will not. After one or two days the score rests mostly on views. Slow creators hide behind rounded counts.",
  ],
] as const;

/** How grades come about, and what they leave out. */
export function Method() {
  return (
    <Question
      id="method"
      title="How it is measured"
      lead={
        <>
          The same rule for every score and alert, and a grade never changes. The guide on{" "}
          <a href="/docs/growth">growth</a> has the formula.{" "}
          <a href="/accuracy/grades.csv">Download every graded day (CSV)</a>
        </>
      }
    >
      <dl className={styles.method}>
        {FACTS.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Question>
  );
}

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
