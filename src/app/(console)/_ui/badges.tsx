import { SEVERITY_SCALE } from "@/features/alerts/rules";
import type { Alert } from "@/features/alerts/schema";
import type { AlertLevel } from "@/features/growth/score.rules";
import { Badge } from "@/ui/badge";
import styles from "./badges.module.css";

/** An alert's severity as word, colour and number of triangles. */
export function SeverityBadge({ severity }: { severity: Alert["severity"] }) {
  const place = SEVERITY_SCALE.findIndex((level) => level.severity === severity);
  const symbol = "▲".repeat(SEVERITY_SCALE.length - place);
  return <Badge symbol={symbol} word={severity} color={SEVERITY_SCALE[place]?.color} />;
}

const LEVELS = {
  HIGH_GROWTH: {
    word: "High growth",
    symbol: "▲▲",
    meaning: "Score 75 and above: explosive growth momentum",
  },
  RISING: { word: "Rising", symbol: "▲", meaning: "Score 50 to 74: clear growth trajectory" },
  WATCH: { word: "Watch", symbol: "△", meaning: "Score 25 to 49: some growth signals" },
  STABLE: { word: "Stable", symbol: "–", meaning: "Score below 25: normal or declining" },
} as const satisfies Record<AlertLevel, object>;

/** A creator's level by score, which is independent of alert severity. */
export function LevelBadge({ level }: { level: AlertLevel }) {
  const { word, symbol, meaning } = LEVELS[level];
  return (
    <span className={styles.level} data-level={level} title={meaning}>
      <span aria-hidden="true" className={styles.symbol}>
        {symbol}
      </span>
      {word}
    </span>
  );
}

/** The display name of a level. */
export function levelWord(level: AlertLevel): string {
  return LEVELS[level].word;
}

/** What a level means. */
export function levelMeaning(level: AlertLevel): string {
  return LEVELS[level].meaning;
}
