import { formatCount, formatDate } from "@/core/format";
import { addDays } from "@/core/time";
import type { Accuracy } from "@/features/backtest/comparison.schema";
import type { Reliability } from "@/features/backtest/schema";
import { formatOfHundred, summarizeBins } from "../record";
import styles from "./accuracy.module.css";
import { CalibrationDots } from "./calibration-dots";
import { Question } from "./question";

const LEAD =
  "The same picture, group by group. Above the line: we were too careful. Below: too hopeful. Chances of 7 days, but for the last row.";
const TINY = "Below 100 subscribers no chance is given: one person is 1% and more.";
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
  return (
    <Question id="groups" title="Does it hold for small, large and new creators?" lead={LEAD}>
      <Groups
        title="By subscribers"
        groups={SIZES.map(([id, name]) => ({ name, bins: by_size[id].bins }))}
        note={TINY}
      />
      <Groups
        title="By days of history"
        groups={HISTORIES.map(([id, name]) => ({ name, bins: by_history[id].bins }))}
      />
      <Groups
        title="By how they grew before"
        groups={SHAPES.map(([id, name]) => ({ name, bins: by_shape[id].bins }))}
        note="Most creators are in none of these."
      />
      <Groups
        title="By horizon"
        groups={[
          { name: "+5% in 7 days", bins: chance_7d.bins },
          { name: "+20% in 28 days", bins: chance_28d.bins },
        ]}
        note={
          summarizeBins(chance_28d.bins).weeks === 0 &&
          `Chances of 28 days are graded from ${formatDate(addDays(first_day, 28))} on.`
        }
      />
    </Question>
  );
}

interface GroupsProps {
  title: string;
  groups: readonly { name: string; bins: Reliability["bins"] }[];
  note?: string | false;
}

/** Small pictures in one frame and scale. Groups without graded weeks are named in one line. */
function Groups({ title, groups, note }: GroupsProps) {
  const summed = groups.map((one) => ({ ...one, ...summarizeBins(one.bins) }));
  const empty = summed.filter(({ weeks }) => weeks === 0).map(({ name }) => name);
  return (
    <>
      <h3>{title}</h3>
      <div className={styles.groups}>
        {summed
          .filter(({ weeks }) => weeks > 0)
          .map(({ name, bins, weeks, said, seen }) => (
            <figure key={name}>
              <CalibrationDots label={`${name}: said and seen`} bins={bins.filter(({ channels }) => channels > 0)} />
              <figcaption>
                <b>{name}</b>
                <span>said {formatOfHundred(said)}%</span>
                <span>
                  seen <b>{formatOfHundred(seen.share)}%</b>
                </span>
                <small>
                  {formatCount(seen.came)} of {formatCount(weeks)} weeks
                </small>
              </figcaption>
            </figure>
          ))}
      </div>
      {(empty.length > 0 || note) && (
        <p className={styles.note}>
          {empty.length > 0 && `No graded weeks yet: ${empty.join(", ")}. `}
          {note}
        </p>
      )}
    </>
  );
}
