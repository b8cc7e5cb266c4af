import { getSeverityLevel } from "@/features/alerts/rules";
import type { Alert } from "@/features/alerts/schema";
import type { AlertLevel } from "@/features/growth/score.rules";
import styles from "./badges.module.css";

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

/** What a level means. */
export function getLevelMeaning(level: AlertLevel): string {
  return LEVELS[level].meaning;
}
