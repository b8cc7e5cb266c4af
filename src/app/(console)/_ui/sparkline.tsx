import styles from "./sparkline.module.css";
import { buildSparklineShape, HEIGHT, WIDTH } from "./sparkline-path";

/** Daily counts as a small line. Decorative: the numbers are shown beside it. */
export function Sparkline({ counts }: { counts: readonly (number | null)[] }) {
  const shape = buildSparklineShape(counts);
  if (!shape) return null;
  const { path, area, end, zero, direction, beyond } = shape;
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
      <path className={styles.area} d={area} />
      <path d={path} />
      <circle className={styles.end} cx={end.x} cy={end.y} r="1.75" />
      {beyond.map(({ x, end: side }) => (
        <path
          key={side}
          d={
            side === "top"
              ? `M${x - 3} 5L${x} 1L${x + 3} 5`
              : `M${x - 3} ${HEIGHT - 5}L${x} ${HEIGHT - 1}L${x + 3} ${HEIGHT - 5}`
          }
        />
      ))}
    </svg>
  );
}
