import { Text } from "@mantine/core";
import type { Creator, CreatorDetails } from "@/features/creators/schema";
import styles from "./score-explanation.module.css";
import { explainScore, scoreBasisText } from "./score-parts";

type ScoreExplanationProps = Pick<Creator, "counts" | "score_basis"> & Pick<CreatorDetails, "score_parts">;

/** Explains a score by its parts. */
export function ScoreExplanation(score: ScoreExplanationProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {scoreBasisText(score)}
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
