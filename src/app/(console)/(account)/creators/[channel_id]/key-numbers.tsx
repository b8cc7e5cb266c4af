import type { ReactNode } from "react";
import { formatCount, formatGrowth, formatQuantity, formatShortCount } from "@/core/format";
import type { CreatorDetails, HistorySnapshot } from "@/features/creators/schema";
import { computeRoundingError } from "@/features/growth/rules";
import { LEVEL_WORDS } from "@/features/growth/score.rules";
import { formatExpectedGrowth } from "@/features/growth/wording.rules";
import { formatTimes } from "@/features/videos/rules";
import { getLevelMeaning, LevelBars } from "../../../_ui/badges";
import { describeMissing, getStaleDay } from "../../../_ui/numbers";
import { getViewsADay } from "./_chart/daily-views";
import { formatGrowthRange, getDirection } from "./growth-range";
import styles from "./key-numbers.module.css";

interface KeyNumbersProps {
  creator: CreatorDetails;
  /** Oldest first. */
  history: readonly HistorySnapshot[];
}

/** The five numbers of a creator: how large, how fast, how much seen, what is likely, and the score. */
export function KeyNumbers({ creator, history }: KeyNumbersProps) {
  return (
    <dl className={styles.strip}>
      <Subscribers {...creator} />
      <WeekGrowth {...creator} />
      <Views history={history} views={creator.views} />
      <Expected {...creator} />
      <Score {...creator} />
    </dl>
  );
}

interface FigureProps {
  name: string;
  note: ReactNode;
  direction?: "up" | "down" | "unsure";
  /** Null where it is not known, which the note explains. */
  children: ReactNode;
}

function Figure({ name, note, direction, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={styles.value} data-direction={direction}>
          {children ?? "–"}
        </span>
        <span className={styles.note}>{note}</span>
      </dd>
    </div>
  );
}

function Subscribers({ counts, subscribers }: Pick<CreatorDetails, "counts" | "subscribers">) {
  if (subscribers === null)
    return (
      <Figure name="Subscribers" note={describeMissing({ counts })}>
        {null}
      </Figure>
    );
  const hidden = computeRoundingError(subscribers);
  const note = hidden > 0 ? `${formatCount(subscribers)} to ${formatCount(subscribers + hidden)}` : "exact count";
  return (
    <Figure name="Subscribers" note={note}>
      {formatShortCount(subscribers)}
    </Figure>
  );
}

function WeekGrowth(creator: CreatorDetails) {
  const { percent = null, low = null, high = null } = creator.growth.find(({ days }) => days === 7) ?? {};
  const isKnown = percent !== null && low !== null && high !== null;
  const stale = getStaleDay(creator);
  const missing = stale ? `last snapshot ${stale}` : "needs snapshots of 8 days";
  return (
    <Figure
      name="Growth, 7 days"
      note={isKnown ? formatGrowthRange({ low, high }) : missing}
      direction={isKnown ? getDirection({ low, high }) : undefined}
    >
      {isKnown ? formatGrowth(percent) : null}
    </Figure>
  );
}

function Views({ history, views }: { history: readonly HistorySnapshot[]; views: number | null }) {
  const rate = getViewsADay(history);
  if (!rate)
    return (
      <Figure name="Views" note="in total; views a day need two days">
        {views === null ? null : formatShortCount(views)}
      </Figure>
    );
  const before = rate.before;
  const note = before
    ? `${formatTimes(rate.views / Math.max(1, before.views))} the ${formatQuantity(before.days, "day")} before`
    : "from the channel’s total";
  return (
    <Figure name={`Views a day, ${formatQuantity(rate.days, "day")}`} note={note}>
      {formatShortCount(Math.round(rate.views))}
    </Figure>
  );
}

function Expected({ expected_7d: expected }: Pick<CreatorDetails, "expected_7d">) {
  return (
    <Figure
      name="Expected, next 7 days"
      note={expected ? "8 in 10 end in this range" : "needs measured growth"}
      direction={expected ? getDirection(expected) : undefined}
    >
      {formatExpectedGrowth(expected)}
    </Figure>
  );
}

function Score({ score, score_basis, alert_level, percentile, counts }: CreatorDetails) {
  if (score === null)
    return (
      <Figure name="Score" note={describeMissing({ counts })}>
        {null}
      </Figure>
    );
  const rank = percentile === null ? "of 100" : `better than ${Math.min(99, Math.floor(percentile))} of 100 its size`;
  const note = score_basis === "profile" ? "estimated from total views" : rank;
  return (
    <Figure name="Score" note={note}>
      <span className={styles.score} title={getLevelMeaning(alert_level)}>
        <LevelBars level={alert_level} />
        {score}
        <span className={styles.level}>{LEVEL_WORDS[alert_level]}</span>
      </span>
    </Figure>
  );
}
