import styles from "./reliability-diagram.module.css";

interface Point {
  channels: number;
  predicted: number | null;
  seen: number | null;
}

const SIDE = 200;

/** Chance given against share that came true; on the line both agree. The table beside it has the numbers. */
export function ReliabilityDiagram({ title, bins }: { title: string; bins: readonly Point[] }) {
  const max = Math.max(...bins.map(({ channels }) => channels));
  return (
    <svg
      className={styles.diagram}
      viewBox={`-34 -10 ${SIDE + 50} ${SIDE + 46}`}
      role="img"
      aria-label={`${title}: chance given and share that grew so much`}
    >
      <path className={styles.frame} d={`M0 0V${SIDE}H${SIDE}`} />
      <path className={styles.ideal} d={`M0 ${SIDE}L${SIDE} 0`} />
      {bins.map(({ channels, predicted, seen }) => (
        <circle
          key={predicted}
          className={styles.point}
          cx={SIDE * (predicted ?? 0)}
          cy={SIDE * (1 - (seen ?? 0))}
          r={3 + 5 * Math.sqrt(channels / max)}
        />
      ))}
      {[0, 0.5, 1].map((tick) => (
        <g key={tick} className={styles.tick}>
          <text x={SIDE * tick} y={SIDE + 14} textAnchor="middle">
            {100 * tick}%
          </text>
          <text x={-6} y={SIDE * (1 - tick) + 4} textAnchor="end">
            {100 * tick}%
          </text>
        </g>
      ))}
      <text className={styles.tick} x={SIDE / 2} y={SIDE + 30} textAnchor="middle">
        Chance given (up: share that grew so much)
      </text>
    </svg>
  );
}
