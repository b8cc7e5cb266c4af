import type { FoundCreator } from "@/features/discovery/schema";
import { LevelBadge } from "../../_ui/badges";
import styles from "./score-value.module.css";

/** A score with its level. */
export function ScoreValue({ score, alert_level }: Pick<FoundCreator, "score" | "alert_level">) {
  if (score === null) return <span className={styles.none}>No score</span>;
  return (
    <span className={styles.score}>
      <strong>{score}</strong> <LevelBadge level={alert_level} />
    </span>
  );
}
