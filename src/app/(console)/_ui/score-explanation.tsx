import { Text } from "@mantine/core";
import type { Creator, CreatorDetails } from "@/features/creators/schema";
import { getStaleDay } from "./numbers";
import styles from "./score-explanation.module.css";
import { describeScoreBasis, PART_WORDS } from "./score-parts";

type ScoreExplanationProps = Pick<Creator, "counts" | "score_basis" | "status"> &
  Pick<CreatorDetails, "score_explanation" | "growth_day">;

/** Explains a score by its parts, and says their day when it is not today's. */
export function ScoreExplanation(score: ScoreExplanationProps) {
  const stale = score.score_explanation && getStaleDay(score);
  return (
    <>
      <Text size="sm" c="dimmed">
        {describeScoreBasis(score)}
        {stale && ` All values are as of the last snapshot, ${stale}.`}
      </Text>
      {score.score_explanation && (
        <dl className={styles.parts}>
          {score.score_explanation.map(({ part, points, max }) => (
            <div key={part} className={styles.part}>
              <dt>{PART_WORDS[part].name}</dt>
              <dd className={styles.value}>
                {points} of {max}
              </dd>
              <dd className={styles.text}>{PART_WORDS[part].text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
