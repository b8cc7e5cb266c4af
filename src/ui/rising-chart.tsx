import styles from "./rising-chart.module.css";

interface RisingChartProps {
  /** Accessible description. */
  label: string;
  /** Severity of the alert, and its colour as `#rrggbb`. */
  severity: string;
  color: string;
  /** Growth on the day of the alert, such as `+19.2% in one day`. */
  growth: string;
}

const WIDTH = 520;
const HEIGHT = 380;
const DAYS = 40;
const ALERT_DAY = 22;
const KNOWN_DAY = 34;
const BASE = 318;
/** Units of height a percent. */
const SCALE = 2.4;
const OTHERS = 26;

/** Many flat creators and one that rises: first the alert, much later the fame. */
export function RisingChart({ label, severity, color, growth }: RisingChartProps) {
  const at = { x: toX(ALERT_DAY), y: toY(RISER[ALERT_DAY] ?? 0) };
  return (
    <figure className={styles.figure}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className={styles.chart}>
        {FIELD.map((line) => (
          <path key={line} className={styles.other} d={line} />
        ))}
        <path className={styles.area} d={`${buildStepPath(RISER)}V${BASE}H0Z`} />
        <path className={styles.riser} d={buildStepPath(RISER)} />
        <path className={styles.day} d={`M${at.x} ${at.y + 12}V${HEIGHT - 30}`} />
        <path
          className={styles.day}
          d={`M${toX(KNOWN_DAY)} ${toY(RISER[KNOWN_DAY] ?? 0) + 8}V${HEIGHT - 30}`}
        />
        <text className={styles.who} x={at.x} y={HEIGHT - 10}>
          You know
        </text>
        <text className={styles.whoLater} x={toX(KNOWN_DAY)} y={HEIGHT - 10}>
          Everybody knows
        </text>
        <path className={styles.diamond} fill={color} d={`M${at.x} ${at.y - 8}l8 8l-8 8l-8-8z`} />
        <g transform={`translate(${at.x - 196} ${at.y - 76})`}>
          <path className={styles.leader} d="M150 50L190 72" />
          <rect className={styles.chip} width="188" height="52" rx="9" />
          <rect fill={color} x="14" y="14" width="10" height="10" rx="2.5" />
          <text className={styles.severity} x="32" y="23.5">
            {severity}
          </text>
          <text className={styles.growth} x="14" y="42">
            {growth}
          </text>
        </g>
      </svg>
    </figure>
  );
}

/** Percent from the start, day by day: flat, a jump on the day of the alert, then faster and faster. */
const RISER = Array.from({ length: DAYS }, (_, day) =>
  day < ALERT_DAY ? day * 0.25 : 24 + (day - ALERT_DAY) ** 1.62,
);

const FIELD = Array.from({ length: OTHERS }, (_, line) => buildStepPath(createDriftingLine(line + 1)));

/** A line that drifts slowly, always the same for the same seed: a linear congruential generator. */
function createDriftingLine(seed: number): number[] {
  let state = seed * 2_654_435_761;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const drift = (next() - 0.4) * 2.2;
  let percent = 0;
  return Array.from({ length: DAYS }, () => {
    percent += next() < 0.35 ? drift + (next() - 0.5) * 2.4 : 0;
    return percent;
  });
}

function buildStepPath(percents: readonly number[]): string {
  return percents.map((percent, day) => `${day === 0 ? "M0 " : `H${toX(day)}V`}${toY(percent)}`).join("");
}

function toX(day: number): number {
  return round((day / (DAYS - 1)) * WIDTH);
}

function toY(percent: number): number {
  return round(BASE - percent * SCALE);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
