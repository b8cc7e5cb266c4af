import styles from "./reading-chart.module.css";

interface ReadingChartProps {
  /** Oldest first, at least two. */
  readings: readonly number[];
  /** Colour of the last bar, as `#rrggbb`. */
  color: string;
  /** Accessible description. */
  label: string;
}

const WIDTH = 320;
const HEIGHT = 120;
const GAP = 6;

/** Daily readings as bars from zero; a line marks the previous day on the last bar. */
export function ReadingChart({ readings, color, label }: ReadingChartProps) {
  const most = Math.max(...readings, 1);
  const slot = (WIDTH + GAP) / readings.length;
  const bars = readings.map((reading, place) => {
    const height = (reading / most) * HEIGHT;
    return { x: place * slot, y: HEIGHT - height, width: slot - GAP, height };
  });
  const [before, last] = bars.slice(-2);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className={styles.chart}>
      {bars.map((bar) => (
        <rect key={bar.x} {...bar} rx="2" className={bar === last ? undefined : styles.bar} fill={color} />
      ))}
      {before && last && (
        <path className={styles.level} d={`M${before.x} ${before.y}H${last.x + last.width}`} />
      )}
    </svg>
  );
}
