import { greatest } from "d3-array";
import { formatDate } from "@/core/format";
import { addDays } from "@/core/time";
import type { Reliability } from "@/features/backtest/chances.rules";
import type { Accuracy } from "@/features/backtest/comparison.service";
import { formatCounted, formatOfHundred, summarizeBins } from "../record";
import styles from "./accuracy.module.css";
import { CalibrationDots } from "./chances";
import { Question } from "./method";

const LEAD =
  "The same picture, group by group. Above the line: we were too careful. Below: too hopeful. All but the last picture are chances of 7 days; most creators grew in none of the named ways.";
const TINY = "Below 100 subscribers no chance is given: one person is 1% and more.";
/** A group with fewer weeks is not called the weakest. */
const MIN_WEEKS = 100;
const SIZES = [
  [100, "100 to 1K"],
  [1000, "1K to 10K"],
  [10_000, "10K to 100K"],
  [100_000, "Over 100K"],
] as const;
const HISTORIES = [
  [1, "1 or 2 days"],
  [3, "3 to 6 days"],
  [7, "7 to 13 days"],
  [14, "14 to 27 days"],
  [28, "28 days"],
] as const;
const SHAPES = [
  ["steady", "Steady, 2% each week"],
  ["lone_jump", "One jump, still since"],
  ["recovering", "Recovering a loss"],
] as const;

/** Chances given beside what happened, in groups of creators. */
export function ChanceGroups({ calibration, first_day }: Pick<Accuracy, "calibration" | "first_day">) {
  const { by_size, by_history, by_shape, chance_7d, chance_28d } = calibration;
  const sizes = SIZES.map(([id, name]) => ({ name, bins: by_size[id].bins }));
  const histories = HISTORIES.map(([id, name]) => ({ name, bins: by_history[id].bins }));
  return (
    <Question
      id="groups"
      title="Does it hold for small, large and new creators?"
      lead={LEAD}
      aside={describeWeakest([
        ...sizes.map(({ name, bins }) => ({ name: `${name} subscribers`, bins })),
        ...histories.map(({ name, bins }) => ({ name: `${name} of history`, bins })),
      ])}
    >
      <Groups title="By subscribers" groups={sizes} last={TINY} />
      <Groups title="By days of history" groups={histories} />
      <div className={styles.pair}>
        <Groups
          title="By how they grew before"
          groups={SHAPES.map(([id, name]) => ({ name, bins: by_shape[id].bins }))}
        />
        <Groups
          title="By horizon"
          groups={[
            { name: "+5% in 7 days", bins: chance_7d.bins },
            {
              name: "+20% in 28 days",
              bins: chance_28d.bins,
              missing: `Chances of 28 days are graded from ${formatDate(addDays(first_day, 28))} on.`,
            },
          ]}
        />
      </div>
    </Question>
  );
}

interface Group {
  name: string;
  bins: Reliability["bins"];
  /** Said in place of a picture without graded weeks. */
  missing?: string;
}

/** Names the group whose chances were furthest from what happened; null without two groups of 100 weeks. */
function describeWeakest(groups: readonly Group[]): string | null {
  const large = groups
    .map(({ name, bins }) => ({ name, ...summarizeBins(bins) }))
    .filter(({ weeks }) => weeks >= MIN_WEEKS);
  const weakest = greatest(large, ({ said, seen }) => Math.abs(said - seen.share));
  if (!weakest || large.length < 2) return null;
  const { name, said, seen } = weakest;
  return `Weakest today: ${name}, where we said ${formatOfHundred(said)}% and saw ${formatOfHundred(seen.share)}%.`;
}

/** Small pictures in one frame and scale. A group without graded weeks says so in its place. @param last said beside them */
function Groups({ title, groups, last }: { title: string; groups: readonly Group[]; last?: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <div className={styles.groups}>
        {groups.map((group) => (
          <GroupPicture key={group.name} {...group} />
        ))}
        {last && <p>{last}</p>}
      </div>
    </div>
  );
}

function GroupPicture({ name, bins, missing = "No graded week yet." }: Group) {
  const { weeks, said, seen } = summarizeBins(bins);
  if (weeks === 0)
    return (
      <p>
        <b>{name}</b> {missing}
      </p>
    );
  return (
    <figure>
      <CalibrationDots label={`${name}: said and seen`} bins={bins.filter(({ channels }) => channels > 0)} />
      <figcaption>
        <b>{name}</b>
        <span>said {formatOfHundred(said)}%</span>
        <span>
          seen <b>{formatOfHundred(seen.share)}%</b>
        </span>
        <small>{formatCounted(seen.came, weeks)} weeks</small>
      </figcaption>
    </figure>
  );
}
