import styles from "./chart.module.css";
import type { ChartLine } from "./chart-model";

/** How a line looks, beside its name. */
export function LineSample({ look }: Pick<ChartLine, "look">) {
  return (
    <svg style={{ flex: "none" }} width="24" height="6" viewBox="0 0 24 6" aria-hidden>
      <path className={styles.line} data-look={look} d="M1 3H23" />
    </svg>
  );
}
