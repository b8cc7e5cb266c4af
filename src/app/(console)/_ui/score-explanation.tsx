import type { Creator, CreatorDetails } from "@/features/creators/schema";
import { getStaleDay } from "./numbers";
import styles from "./score-explanation.module.css";
import { describePart, describeScoreBasis, PART_WORDS } from "./score-parts";

type ScoreExplanationProps = Pick<Creator, "counts" | "score" | "score_basis" | "status"> &
  Pick<CreatorDetails, "score_explanation" | "score_parts" | "growth_day">;

/** Explains a score by its parts, which add up to it, and says their day when it is not today's. */
export function ScoreExplanation(creator: ScoreExplanationProps) {
  const { score, score_explanation, score_parts } = creator;
  const parts = score_explanation?.filter(({ max }) => max > 0) ?? [];
  const stale = score_explanation && getStaleDay(creator);
  if (parts.length === 0) return <p className={styles.basis}>{describeScoreBasis(creator)}</p>;
  const longest = Math.max(...parts.map(({ max }) => max));
  return (
    <>
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
    </>
  );
}
