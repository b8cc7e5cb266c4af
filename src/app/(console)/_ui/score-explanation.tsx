import type { Creator, CreatorDetails } from "@/features/creators/schema";
import { getStaleDay } from "./numbers";
import styles from "./score-explanation.module.css";
import { describeScoreBasis, PART_WORDS } from "./score-parts";

type ScoreExplanationProps = Pick<Creator, "counts" | "score" | "score_basis" | "status"> &
  Pick<CreatorDetails, "score_explanation" | "score_parts" | "growth_day">;

/** Explains a score by its parts, which add up to it, and says their day when it is not today's. */
export function ScoreExplanation(creator: ScoreExplanationProps) {
  const { score, score_explanation: parts, score_parts } = creator;
  const stale = score_parts && getStaleDay(creator);
  if (score === null || parts === null || parts.length === 0)
    return <p className={styles.basis}>{describeScoreBasis(creator)}</p>;
  const longest = Math.max(...parts.map(({ max }) => max));
  return (
    <>
      <ul className={styles.parts}>
        {parts.map(({ part, points, max }) => {
          const { name, text } = PART_WORDS[part] ?? { name: part, text: '' };
          return (
            <li key={part}>
              <div>
                <strong>{name}</strong>
                {text && <span className={styles.text}>{text}</span>}
              </div>
              <span className={styles.track} style={{ width: `${(100 * max) / longest}%` }} aria-hidden>
                <span className={styles.fill} style={{ width: `${(100 * Math.max(0, points)) / max}%` }} />
              </span>
              <span className={styles.points}>
                <strong>{points}</strong> of {max}
              </span>
            </li>
          );
        })}
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
