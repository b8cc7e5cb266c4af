import { getSeverityLevel } from "@/features/alerts/rules";
import type { Alert } from "@/features/alerts/schema";
import type { Creator } from "@/features/creators/schema";
import { type AlertLevel, LEVEL_WORDS } from "@/features/growth/score.rules";
import { formatChance, formatExpectedGrowth, formatShortRank } from "@/features/growth/wording.rules";
import styles from "./badges.module.css";
import scoreStyles from "./score-value.module.css";

/** An alert's severity in capitals beside a square of its colour. */
export function Severity({ severity }: { severity: Alert["severity"] }) {
  return (
    <span className={styles.severity} data-severity={severity} title={getSeverityLevel(severity).meaning}>
      <i aria-hidden />
      {severity}
    </span>
  );
}

const LEVELS = {
  HIGH_GROWTH: { bars: 4, meaning: "High growth: the top band (75 to 100)" },
  RISING: { bars: 3, meaning: "Rising: clear growth (50 to 74)" },
  WATCH: { bars: 2, meaning: "Warming: some growth signals (25 to 49). The API calls this level WATCH" },
  STABLE: { bars: 1, meaning: "Stable: normal or declining (below 25)" },
} as const satisfies Record<AlertLevel, object>;

const BARS = [1, 2, 3, 4] as const;

/** The signal bars of a level. Decorative: its word is shown beside them. */
export function LevelBars({ level }: { level: AlertLevel }) {
  return (
    <svg className={styles.bars} viewBox="0 0 14 12" aria-hidden>
      {BARS.map((bar) => (
        <rect
          key={bar}
          data-on={bar <= LEVELS[level].bars || undefined}
          x={(bar - 1) * 4}
          y={12 - 3 * bar}
          width="2.5"
          height={3 * bar}
          rx="1"
        />
      ))}
    </svg>
  );
}

export function getLevelMeaning(level: AlertLevel): string {
  return LEVELS[level].meaning;
}

type Scored = Pick<Creator, "score" | "alert_level" | "percentile" | "chance_7d" | "chance_28d" | "expected_7d">;

/** A score with its level. The title adds the likely growth and the rank within its size. */
export function ScoreValue({ score, alert_level, percentile, chance_7d, chance_28d, expected_7d }: Scored) {
  if (score === null) return <span className={scoreStyles.none}>No score</span>;
  const rank = formatShortRank(percentile);
  const [week, month] = [formatChance(7, chance_7d), formatChance(28, chance_28d)];
  const expected = formatExpectedGrowth(expected_7d);
  const title = [getLevelMeaning(alert_level), expected && `${expected} this week, 8 in 10`, rank, week, month]
    .filter(Boolean)
    .join("\n");
  return (
    <span className={scoreStyles.score} title={title}>
      <span className={scoreStyles.number}>
        <LevelBars level={alert_level} />
        <strong>{score}</strong>
      </span>
      <span className={scoreStyles.level} data-level={alert_level}>
        {LEVEL_WORDS[alert_level]}
      </span>
    </span>
  );
}
