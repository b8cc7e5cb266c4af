import { formatCount, formatDate } from "@/core/format";
import type { Accuracy } from "@/features/backtest/comparison.schema";
import type { Reliability } from "@/features/backtest/schema";
import { DataTable } from "@/ui/data-table";
import { Fact, Facts } from "@/ui/facts";
import { Section } from "@/ui/section";
import styles from "./reliability-diagram.module.css";

const RANKINGS = [
  { id: "score", name: "Score" },
  { id: "pace", name: "Growth so far, per week" },
  { id: "g7", name: "Growth over 7 days" },
  { id: "g14", name: "Growth over 14 days" },
  { id: "size", name: "Most subscribers" },
] as const;
const LEVELS = ["HIGH_GROWTH", "RISING", "WATCH", "STABLE"] as const;
const LENGTHS = [3, 7, 14, 28] as const;
const CHANCES = [
  { name: "chance_7d", title: "Chance of +5% within 7 days" },
  { name: "chance_28d", title: "Chance of +20% within 28 days" },
] as const;

/** How well the scores of the service predicted growth, with simple rankings beside them. */
export function ScoreRecord({ record }: { record: Accuracy | null }) {
  const intro =
    "Each day we rank channels by what was known that day. A week later we compare the ranking with what happened. Growth within an unknown part of a window counts from the first snapshot, so simple rankings are graded fairly too.";
  return (
    <Section id="score" title="How the score turned out" intro={intro}>
      {record ? <Record {...record} /> : <p>Scores appear here once 100 channels have a week of growth after them.</p>}
    </Section>
  );
}

function Record({ rankings, months, by_history, levels, calibration, ...period }: Accuracy) {
  return (
    <>
      <Facts>
        <Fact name="Period" note={`${period.days} days`}>
          {formatDate(period.first_day)} to {formatDate(period.last_day)}
        </Fact>
        <Fact name="Channels a day">{formatCount(period.channels)}</Fact>
        <Fact name="Score version">{period.score_version}</Fact>
      </Facts>
      <DataTable
        caption="Rankings: how many of the 5% that grew most each found, and rank correlation"
        columns={["Ranking", "Top 5% found", "Rank correlation"]}
        rows={RANKINGS.map(({ id, name }) => [name, formatWholePercent(rankings[id].p5), rankings[id].rho.toFixed(2)])}
      />
      <DataTable
        caption="By month: how many of the 5% that grew most each ranking found"
        columns={["Month", "Score", "So far", "7 days", "Size"]}
        rows={months.map(({ month, rankings: { score, pace, g7, size } }) => [
          month,
          ...[score, pace, g7, size].map(({ p5 }) => formatWholePercent(p5)),
        ])}
      />
      <DataTable
        caption="By days of history: how many of the 5% that grew most the score found"
        columns={["Days of history", "Grew most", "Found"]}
        rows={LENGTHS.map((days) => {
          const { fastest, found } = by_history[days];
          return [`About ${days}`, fastest, fastest > 0 ? formatWholePercent(found / fastest) : "–"];
        })}
      />
      <DataTable
        caption="Growth in the next 7 days by level"
        columns={["Level", "Scores", "Mean growth"]}
        rows={LEVELS.map((level) => {
          const { channels, mean7 } = levels[level];
          const growth = mean7 === null ? "–" : `${(100 * Math.expm1(mean7)).toFixed(1)}%`;
          return [level, formatCount(channels), growth];
        })}
      />
      {CHANCES.map(({ name, title }) => (
        <Chances key={name} title={title} {...calibration[name]} />
      ))}
    </>
  );
}

function Chances({ title, bins, brier, error }: Reliability & { title: string }) {
  const known = bins.filter(({ channels }) => channels > 0);
  if (known.length === 0) return <p>{title}: no outcomes yet.</p>;
  return (
    <>
      <ReliabilityDiagram title={title} bins={known} />
      <DataTable
        caption={`${title}: chance given and share that grew so much`}
        columns={[title, "Scores", "Chance", "Grew"]}
        rows={known.map(({ from, to, channels, predicted, seen }) => [
          `${Math.round(100 * from)} to ${formatWholePercent(to)}`,
          formatCount(channels),
          formatWholePercent(predicted ?? 0),
          formatWholePercent(seen ?? 0),
        ])}
      />
      <p className={styles.note}>
        Brier score {brier.toFixed(4)} (0 is perfect). Chance and outcome differ by {(100 * error).toFixed(1)} points on
        average.
      </p>
    </>
  );
}

function formatWholePercent(value: number): string {
  return `${Math.round(100 * value)}%`;
}

/** The formula, the data behind it and what is weak. */
export function ScoreRule() {
  return (
    <Section
      id="calculated"
      title="How the score is calculated"
      intro="The same formula for every channel. The guide on growth shows it in full."
    >
      <Facts>
        <Fact name="Measured">
          Recent growth (65%), growth over 28 days (15%) and the growth that views point to (20%), each on a logarithmic
          scale; then persistence, views per subscriber and size
        </Fact>
        <Fact name="Few days of history">
          A table lifts the score of a short history to that of channels with 28 days that grew as much afterwards. It
          keeps the order of channels with the same days of history
        </Fact>
        <Fact name="Chances">Fitted to real outcomes by score, days of history and size</Fact>
        <Fact name="Data">
          Daily counts of 2,100 channels, 2022 to 2023 and 2026, all VTubers. Chosen by cross-validation; half of the
          channels of 2026 were used once, to test
        </Fact>
        <Fact name="Weak spots">
          After one or two days the score rests mostly on views. Slow channels above 1,000 subscribers hide behind
          rounded counts. Channels above 100,000 subscribers rarely reach RISING: look at their rank within their size.
          Other kinds of channels may grow differently
        </Fact>
      </Facts>
    </Section>
  );
}

interface Point {
  channels: number;
  predicted: number | null;
  seen: number | null;
}

const SIDE = 200;

/** Chance given against share that came true; on the line both agree. The table beside it has the numbers. */
function ReliabilityDiagram({ title, bins }: { title: string; bins: readonly Point[] }) {
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
