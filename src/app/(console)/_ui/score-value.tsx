import type { Creator } from "@/features/creators/schema";
import { LEVEL_WORDS } from "@/features/growth/score.rules";
import { formatChance, formatExpectedGrowth, formatShortRank } from "@/features/growth/wording.rules";
import { getLevelMeaning, LevelBars } from "./badges";
import styles from "./score-value.module.css";

type Scored = Pick<Creator, "score" | "alert_level" | "percentile" | "chance_7d" | "chance_28d" | "expected_7d">;

/** A score with its level. The title adds the likely growth and the rank within its size. */
export function ScoreValue({ score, alert_level, percentile, chance_7d, chance_28d, expected_7d }: Scored) {
  if (score === null) return <span className={styles.none}>No score</span>;
  const rank = formatShortRank(percentile);
  const [week, month] = [formatChance(7, chance_7d), formatChance(28, chance_28d)];
  const expected = formatExpectedGrowth(expected_7d);
  const title = [getLevelMeaning(alert_level), expected && `${expected} this week, 8 in 10`, rank, week, month]
    .filter(Boolean)
    .join("\n");
  return (
    <span className={styles.score} title={title}>
      <span className={styles.number}>
        <LevelBars level={alert_level} />
        <strong>{score}</strong>
      </span>
      <span className={styles.level} data-level={alert_level}>
        {LEVEL_WORDS[alert_level]}
      </span>
    </span>
  );
}
