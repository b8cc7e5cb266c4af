import type { Reliability } from "@/features/backtest/chances.rules";
import { computeShare } from "../record";
import styles from "./accuracy.module.css";

const SIDE = 280;
const TICKS = [0, 25, 50, 75, 100];

interface CalibrationDotsProps {
  label: string;
  bins: Reliability["bins"];
  /** With axes; small pictures share one frame and its corners. */
  large?: boolean;
}

/** Chance given against share that came, as dots by their number, with 95% intervals. */
export function CalibrationDots({ label, bins, large }: CalibrationDotsProps) {
  const most = Math.max(...bins.map(({ channels }) => channels));
  const toY = (share: number) => SIDE * (1 - share);
  return (
    <svg className={styles.dots} viewBox={large ? "-40 -12 332 336" : "-6 -6 292 292"} role="img" aria-label={label}>
      <rect width={SIDE} height={SIDE} rx="4" className={styles.frame} />
      <path d={`M0 ${SIDE}L${SIDE} 0`} className={styles.diagonal} />
      {large &&
        TICKS.map((tick) => (
          <g key={tick}>
            <text x={-10} y={toY(tick / 100) + 4} textAnchor="end">
              {tick}
            </text>
            <text x={(SIDE * tick) / 100} y={SIDE + 18} textAnchor="middle">
              {tick}
            </text>
          </g>
        ))}
      {bins.map(({ from, channels, predicted, seen }) => {
        const { low, high } = computeShare(channels * (seen ?? 0), channels);
        const x = SIDE * (predicted ?? 0);
        return (
          <g key={from}>
            <path d={`M${x} ${toY(low)}V${toY(high)}`} className={styles.interval} />
            <circle cx={x} cy={toY(seen ?? 0)} r={(large ? 3 : 6) + 6 * Math.sqrt(channels / most)} />
          </g>
        );
      })}
      {large && (
        <>
          <text x={8} y={16}>
            it happened, %
          </text>
          <text x={SIDE / 2} y={SIDE + 36} textAnchor="middle">
            we said, %
          </text>
        </>
      )}
    </svg>
  );
}
