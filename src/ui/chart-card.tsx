import type { ReactNode } from "react";
import styles from "./chart-card.module.css";
import { ReadingChart } from "./reading-chart";

interface ChartCardProps {
  badge: ReactNode;
  kind: string;
  message: string;
  /** Oldest first. */
  readings: readonly number[];
  color: string;
  caption: string;
}

/** A message with a chart of the readings behind it. */
export function ChartCard({ badge, kind, message, readings, color, caption }: ChartCardProps) {
  return (
    <figure className={styles.card}>
      <div className={styles.kind}>
        {badge}
        <code>{kind}</code>
      </div>
      <p className={styles.message}>{message}</p>
      <ReadingChart readings={readings} color={color} label={`Bars: ${readings.join(", ")}`} />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
