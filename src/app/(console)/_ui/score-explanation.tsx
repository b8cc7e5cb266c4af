import { Text } from "@mantine/core";
import type { Creator, CreatorDetails } from "@/features/creators/schema";
import { getStaleDay } from "./numbers";
import styles from "./score-explanation.module.css";
import { describeScoreBasis, explainScore } from "./score-parts";

type ScoreExplanationProps = Pick<Creator, "counts" | "score_basis" | "status"> &
  Pick<CreatorDetails, "score_parts" | "growth_day">;

/** Explains a score by its parts, and says their day when it is not today's. */
export function ScoreExplanation(score: ScoreExplanationProps) {
  const stale = score.score_parts && getStaleDay(score);
  return (
    <>
      <Text size="sm" c="dimmed">
        {describeScoreBasis(score)}
        {stale && ` All values are as of the last snapshot, ${stale}.`}
      </Text>
      {score.score_parts && (
        <dl className={styles.parts}>
          {explainScore(score.score_parts).map(({ name, value, text }) => (
            <div key={name} className={styles.part}>
              <dt>{name}</dt>
              <dd className={styles.value}>{value}</dd>
              <dd className={styles.text}>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
