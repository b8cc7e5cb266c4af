import type { Creator } from "@/features/creators/schema";
import { LevelBars, levelMeaning, levelWord } from "./badges";
import styles from "./score-value.module.css";

/** A score with its level. */
export function ScoreValue({ score, alert_level }: Pick<Creator, "score" | "alert_level">) {
  if (score === null) return <span className={styles.none}>No score</span>;
  return (
    <span className={styles.score} title={levelMeaning(alert_level)}>
      <span className={styles.number}>
        <LevelBars level={alert_level} />
        <strong>{score}</strong>
      </span>
      <span className={styles.level} data-level={alert_level}>
        {levelWord(alert_level)}
      </span>
    </span>
  );
}
