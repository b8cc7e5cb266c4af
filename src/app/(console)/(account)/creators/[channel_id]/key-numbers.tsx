import type { ReactNode } from "react";
import { formatCount, formatGrowth, formatQuantity, formatShortCount } from "@/core/format";
import type { CreatorDetails, HistorySnapshot } from "@/features/creators/schema";
import { computeRoundingError } from "@/features/growth/rules";
import { LEVEL_WORDS } from "@/features/growth/score.rules";
import { formatExpectedGrowth } from "@/features/growth/wording.rules";
import { formatTimes } from "@/features/videos/rules";
import { getLevelMeaning, LevelBars } from "../../../_ui/badges";
import {
  type Direction,
  describeMissing,
  describeRange,
  getDirection,
  getStaleDay,
  isMeasured,
} from "../../../_ui/numbers";
import { getViewsADay } from "./_chart/daily-views";
import styles from "./key-numbers.module.css";

interface KeyNumber {
  name: string;
  /** Null where it is not known, which the note explains. */
  value: ReactNode;
  note: string;
  direction?: Direction;
}

/** The five numbers of a creator: how large, how fast, how much seen, what is likely, and the score. @param history oldest first */
export function KeyNumbers({ creator, history }: { creator: CreatorDetails; history: readonly HistorySnapshot[] }) {
  const numbers = [
    describeSubscribers(creator),
    describeWeek(creator),
    describeViews(creator, history),
    describeExpected(creator),
    describeScore(creator),
  ];
  return (
    <dl className={styles.strip}>
      {numbers.map(({ name, value, note, direction }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className={styles.value} data-direction={direction}>
              {value ?? "–"}
            </span>
            <span className={styles.note}>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function describeSubscribers({ counts, subscribers }: CreatorDetails): KeyNumber {
  const name = "Subscribers";
  if (subscribers === null) return { name, value: null, note: describeMissing({ counts }) };
  const hidden = computeRoundingError(subscribers);
  const note = hidden > 0 ? `${formatCount(subscribers)} to ${formatCount(subscribers + hidden)}` : "exact count";
  return { name, value: formatShortCount(subscribers), note };
}

function describeWeek(creator: CreatorDetails): KeyNumber {
  const name = "Growth, 7 days";
  const week = creator.growth.find(({ days }) => days === 7);
  if (isMeasured(week))
    return { name, value: formatGrowth(week.percent), note: describeRange(week), direction: getDirection(week) };
  const stale = getStaleDay(creator);
  const note = stale ? `last snapshot ${stale}` : "needs snapshots of 8 days";
  return { name, value: null, note: explainMissing(creator, note) };
}

function describeViews({ views }: CreatorDetails, history: readonly HistorySnapshot[]): KeyNumber {
  const rate = getViewsADay(history);
  if (!rate) {
    const note = "in total; views a day need two days";
    return { name: "Views", value: views === null ? null : formatShortCount(views), note };
  }
  const { before } = rate;
  const note = before
    ? `${formatTimes(rate.views / Math.max(1, before.views))} the ${formatQuantity(before.days, "day")} before`
    : "from the channel’s total";
  return {
    name: `Views a day, ${formatQuantity(rate.days, "day")}`,
    value: formatShortCount(Math.round(rate.views)),
    note,
  };
}

function describeExpected({ counts, expected_7d: expected }: CreatorDetails): KeyNumber {
  const name = "Expected, next 7 days";
  if (!expected) return { name, value: null, note: explainMissing({ counts }, "needs measured growth") };
  const value = formatExpectedGrowth(expected);
  return { name, value, note: "8 in 10 end in this range", direction: getDirection(expected) };
}

/** A hidden count never gives what other creators only wait for. */
function explainMissing({ counts }: Pick<CreatorDetails, "counts">, note: string): string {
  return counts === "hidden" ? describeMissing({ counts }) : note;
}

function describeScore({ score, score_basis, alert_level, percentile, counts }: CreatorDetails): KeyNumber {
  const name = "Score";
  if (score === null) return { name, value: null, note: describeMissing({ counts }) };
  const rank = percentile === null ? "of 100" : `better than ${Math.min(99, Math.floor(percentile))} of 100 its size`;
  const value = (
    <span className={styles.score} title={getLevelMeaning(alert_level)}>
      <LevelBars level={alert_level} />
      {score}
      <span className={styles.level}>{LEVEL_WORDS[alert_level]}</span>
    </span>
  );
  return { name, value, note: score_basis === "profile" ? "estimated from total views" : rank };
}
