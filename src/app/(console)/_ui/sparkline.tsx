import styles from "./sparkline.module.css";
import { HEIGHT, sparklineShape, WIDTH } from "./sparkline-path";

/** Daily counts as a small line. Decorative: the numbers stand beside it. */
export function Sparkline({ counts }: { counts: readonly (number | null)[] }) {
  const shape = sparklineShape(counts);
  if (!shape) return null;
  const { path, zero, direction, beyond } = shape;
  return (
    <svg
      className={styles.sparkline}
      data-direction={direction}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden
    >
      <path className={styles.zero} d={`M0 ${zero}H${WIDTH}`} />
      <path className={styles.line} d={path} />
      {beyond.map(({ x, end }) => (
        <path
          key={end}
          className={styles.beyond}
          d={
            end === "top"
              ? `M${x - 3} 5L${x} 1L${x + 3} 5`
              : `M${x - 3} ${HEIGHT - 5}L${x} ${HEIGHT - 1}L${x + 3} ${HEIGHT - 5}`
          }
        />
      ))}
    </svg>
  );
}
