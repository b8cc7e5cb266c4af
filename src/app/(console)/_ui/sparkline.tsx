import styles from "./sparkline.module.css";

const WIDTH = 96;
const HEIGHT = 24;
const MARGIN = 2;

/**
 * A row of daily counts as one small line, oldest first. A day without a count (null) is a gap; a lone day between
 * gaps is a dot. For sighted readers only: the numbers stand beside it.
 */
export function Sparkline({ counts }: { counts: readonly (number | null)[] }) {
  const shown = counts.filter((count) => count !== null);
  const [least, most] = [Math.min(...shown), Math.max(...shown)];
  const x = (place: number) => MARGIN + (place / Math.max(1, counts.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (count: number) =>
    most === least
      ? HEIGHT / 2
      : HEIGHT - MARGIN - ((count - least) / (most - least)) * (HEIGHT - 2 * MARGIN);
  let path = "";
  for (const [place, count] of counts.entries()) {
    if (count === null) continue;
    const begins = (counts[place - 1] ?? null) === null;
    path += `${begins ? "M" : "L"}${round(x(place))} ${round(y(count))}`;
    if (begins && (counts[place + 1] ?? null) === null) path += "h0";
  }
  return (
    <svg className={styles.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden>
      <path d={path} />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
