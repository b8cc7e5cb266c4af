import { range } from "d3-array";
import type { CSSProperties } from "react";
import { type AlertLevel, LEVEL_WORDS } from "@/features/growth/score.rules";
import { type CountedShare, formatBrier, formatCounted, formatOfHundred, MIN_COUNTED } from "../record";
import styles from "./accuracy.module.css";

const RANGES: Readonly<Record<AlertLevel, string>> = {
  HIGH_GROWTH: "score 75 to 100",
  RISING: "score 50 to 74",
  WATCH: "score 25 to 49",
  STABLE: "score 0 to 24",
};

const STEP = 0.2;

interface LevelChartProps {
  levels: readonly (CountedShare & { level: AlertLevel })[];
  average: CountedShare;
  /** Of the chances of 7 days, and of always giving the average; smaller is better. */
  brier: number;
  base_brier: number;
  /** Share of outcomes inside the likely range of 7 days; null without any. */
  coverage: number | null;
}

const toStyle = (shares: Record<string, number>) =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [`--${name}`, `${100 * share}%`])) as CSSProperties;

/** The share of each level that grew 5% or more, with its 95% interval and the average as a line through all. */
export function LevelChart({ levels, average, brier, base_brier, coverage }: LevelChartProps) {
  const known = levels.filter(({ of }) => of > 0);
  const top = Math.ceil(Math.max(...known.map(({ high }) => high), average.share) / STEP) * STEP;
  const ticks = range(0, top + STEP / 2, STEP);
  const scale = (share: number) => share / top;
  const high = levels.find(({ level }) => level === "HIGH_GROWTH");
  return (
    <section className={styles.levels} aria-labelledby="levels-title">
      <h2 id="levels-title">
        Grew 5% or more in the next 7 days <small>by the level we gave, with 95% intervals</small>
      </h2>
      <dl className={styles.levelBars} style={toStyle({ average: scale(average.share) })}>
        {known.map(({ level, share, low, high: upper, came, of }) => (
          <div key={level}>
            <dt>
              {LEVEL_WORDS[level]} <small>{RANGES[level]}</small>
            </dt>
            <dd>
              <span className={styles.track} aria-hidden>
                <i
                  data-level={level}
                  style={toStyle({ share: scale(share), low: scale(low), reach: scale(upper - low) })}
                />
              </span>
              <span>
                <b>{formatOfHundred(share)}%</b>
                <small>{formatCounted(came, of)}</small>
              </span>
            </dd>
          </div>
        ))}
        <p className={styles.axis} aria-hidden>
          {ticks.map((tick) => (
            <span key={tick} style={toStyle({ at: scale(tick) })}>
              {Math.round(100 * tick)}%
            </span>
          ))}
        </p>
        <p className={styles.average} aria-hidden>
          <span>average of all, {formatOfHundred(average.share)}%</span>
        </p>
      </dl>
      <div className={styles.proofs}>
        {high && high.of >= MIN_COUNTED && average.share > 0 && (
          <p>
            A high score beats the average by{" "}
            <b>
              {(high.share / average.share).toFixed(1)} <small>times</small>
            </b>
          </p>
        )}
        {base_brier > 0 && (
          <p>
            Against always saying “{formatOfHundred(average.share)}%”, our chances are off by
            <b>
              {Math.abs(Math.round(100 * (1 - brier / base_brier)))}%{" "}
              <small>{brier <= base_brier ? "less" : "more"}</small>
            </b>
            <small>
              Brier score {formatBrier(brier)} against {formatBrier(base_brier)}
            </small>
          </p>
        )}
        {coverage !== null && (
          <p>
            “8 in 10” ranges that held{" "}
            <b>
              {Math.round(100 * coverage)} <small>of 100</small>
            </b>
          </p>
        )}
      </div>
    </section>
  );
}
