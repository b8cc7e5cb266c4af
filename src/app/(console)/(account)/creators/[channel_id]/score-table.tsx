import type { CreatorDetails } from "@/features/creators/schema";
import { getStaleDay } from "../../../_ui/numbers";
import { describePart, describeScoreBasis, PART_WORDS } from "./score-parts";
import styles from "./score-table.module.css";
import { Section } from "./section";

/** Why a creator has its score: its parts, which add up to it, and their day when it is not today's. */
export function ScoreTable(creator: CreatorDetails) {
  const { score, score_explanation: explanation, score_parts } = creator;
  const title = score === null ? "Why there is no score" : `Why the score is ${score}`;
  const aside = explanation?.length ? "The parts add up to the score. Track: the most a part can give" : undefined;
  const parts = explanation?.filter(({ max }) => max > 0) ?? [];
  if (parts.length === 0)
    return (
      <Section title={title} aside={aside}>
        <p className={styles.basis}>{describeScoreBasis(creator)}</p>
      </Section>
    );
  const longest = Math.max(...parts.map(({ max }) => max));
  const stale = getStaleDay(creator);
  return (
    <Section title={title} aside={aside}>
      <ul className={styles.parts}>
        {parts.map(({ part, points, max }) => (
          <li key={part}>
            <div>
              <strong>{PART_WORDS[part].name}</strong>
              <span className={styles.text}>{describePart(part, score_parts)}</span>
            </div>
            <span className={styles.track} style={{ width: `${(100 * max) / longest}%` }} aria-hidden>
              <span className={styles.fill} style={{ width: `${(100 * points) / max}%` }} />
            </span>
            <span className={styles.points}>
              <strong>{points}</strong> of {max}
            </span>
          </li>
        ))}
        <li>
          <strong>Score</strong>
          <span />
          <span className={styles.points}>
            <strong>{score}</strong> of 100
          </span>
        </li>
      </ul>
      {stale && <p className={styles.basis}>All values are as of the last snapshot, {stale}.</p>}
    </Section>
  );
}
