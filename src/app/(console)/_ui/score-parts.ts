import { formatCount, formatGrowth, formatQuantity, formatShare, formatShortCount } from "@/core/format";
import type { Creator, CreatorDetails } from "@/features/creators/schema";

/** One part of a score: its name, value and a sentence on its meaning. */
export interface ExplainedPart {
  name: string;
  value: string;
  text: string;
}

type Explained = Pick<Creator, "counts" | "score_basis"> & Pick<CreatorDetails, "score_parts">;
type Parts = NonNullable<CreatorDetails["score_parts"]>;

const VIEWS_UNKNOWN = {
  value: "not known",
  text: "Fewer than two days of views are known, so they add nothing.",
};
const WEEKS = 4;
/** Weekly growth (log) below this shows as 0.0% and counts as none. */
const NOTHING = 0.0005;
/** From this confidence on, 28-day growth counts as well known. */
const SURE = 0.66;
const HARDLY_SURE = 0.33;

/** The text for a score without parts, or for no score. */
export function describeScoreBasis({ counts, score_basis, score_parts }: Explained): string {
  if (counts === "unread") return "The channel is not measured yet, so it has no score.";
  if (counts === "hidden") return "The channel hides its subscribers, so it has no score.";
  if (score_basis === "profile")
    return "No growth measured yet: that needs two days with a visible count. Until then we estimate the score from total views. The level stays STABLE.";
  return score_parts
    ? "Recent growth counts most, then the growth expected from views, then the full four weeks. A short history is lifted to what it means with 28 days, so scores of all ages compare."
    : "The parts of this score appear after the next daily snapshot.";
}

/** The parts of a score in words, the heaviest first. */
export function explainScore(parts: Parts): ExplainedPart[] {
  return [
    {
      name: "Recent growth",
      value: formatPerWeek(parts.growth_recent),
      text: "Growth over four weeks. Recent days count more, sudden drops count little. This part weighs most in the score.",
    },
    {
      name: "Last 7 days",
      value: formatGrowth(toPercent(parts.growth_7d)),
      text: "Growth over the past week, with rounding steps smoothed out.",
    },
    {
      name: "Last 28 days",
      value: formatPerWeek(parts.growth_28d),
      text: "The average of the past four weeks. Days before the first snapshot count as no growth.",
    },
    { name: "Pace", ...explainPace(parts) },
    {
      name: "Expected from views",
      ...(parts.growth_by_views === null
        ? VIEWS_UNKNOWN
        : {
            value: formatPerWeek(parts.growth_by_views),
            text: "The growth this week’s views would bring at the channel’s usual rate of subscribers per view.",
          }),
    },
    {
      name: "Persistence",
      value: `${formatCount(parts.persistence * WEEKS)} of ${formatQuantity(WEEKS, "week")}`,
      text: "How many of the past four weeks the count rose. Steady growth counts more than a burst.",
    },
    {
      name: "Reach",
      ...(parts.reach === null
        ? VIEWS_UNKNOWN
        : {
            value: `${formatCount(Math.round(parts.reach * 100))} per 100`,
            text: "Weekly views per 100 subscribers.",
          }),
    },
    { name: "Confidence", value: formatShare(parts.confidence), text: describeConfidence(parts.confidence) },
  ];
}

/** The main reason for the score, in one sentence; null without a score or its parts. */
export function getMainReason(creator: Explained & Pick<Creator, "views" | "videos">): string | null {
  const { counts, score_basis, score_parts, views, videos } = creator;
  if (counts !== "known") return null;
  if (score_basis === "profile")
    return views === null || videos === null
      ? "Estimated from its profile"
      : `${formatShortCount(views)} views in ${formatQuantity(videos, "video")}`;
  if (!score_parts) return null;
  const { growth_recent: now, growth_28d: month, persistence, confidence } = score_parts;
  const before = getDirection(month);
  if (getDirection(now) === 0)
    return before === 0 ? "Flat over the last 4 weeks" : `Flat now, ${COURSE[before]} before`;
  if (getDirection(now) === -1)
    return before === 1 ? "Grew over 4 weeks, but is shrinking now" : "Shrank over the last 4 weeks";
  if (confidence < HARDLY_SURE) return "Growing, but few snapshots so far";
  return describeGrowth(now, month, score_parts.growth_by_views, Math.round(persistence * WEEKS));
}

/** Paces differ from this factor on. */
const FASTER = 1.5;

function describeGrowth(now: number, month: number, byViews: number | null, weeks: number): string {
  if (getDirection(month) !== 1) return "Turned up after 4 weeks without growth";
  if (now > FASTER * month) return `${formatPerWeek(now)}, up from ${formatGrowth(toPercent(month))}`;
  if (byViews !== null && byViews > FASTER * now) return `Views point to ${formatPerWeek(byViews)}`;
  return weeks === WEEKS ? "Grew in all of the last 4 weeks" : `Grew in ${weeks} of the last 4 weeks`;
}

/** Compares recent growth with the four weeks. A channel that shrinks in both has no trend. */
function explainPace({ growth_recent: now, growth_28d: month, acceleration }: Parts): Omit<ExplainedPart, "name"> {
  const before = COURSE[getDirection(month)];
  if (getDirection(now) === 0) return { value: "still", text: `Flat now; over four weeks it ${before}.` };
  if (getDirection(now) === -1 && getDirection(month) === -1)
    return { value: "falling", text: "Shrinking now, as over four weeks." };
  if (getDirection(now) === -1) return { value: "turned down", text: `Shrinking now; over four weeks it ${before}.` };
  if (getDirection(month) !== 1)
    return { value: "turned up", text: `Growing now, apart from sudden drops; over four weeks it ${before}.` };
  if (getDirection(acceleration) === 0) return { value: "even", text: "Growing as fast now as over four weeks." };
  const value = acceleration > 0 ? "faster" : "slower";
  const points = formatGrowth(100 * Math.abs(acceleration)).replace("+", "");
  return { value, text: `Growing ${points} a week ${value} now than over four weeks.` };
}

const COURSE = { 1: "grew", 0: "stood still", [-1]: "shrank" } as const;

/** The direction of a weekly growth (log), as far as shown. */
function getDirection(growth: number): keyof typeof COURSE {
  if (Math.abs(growth) < NOTHING) return 0;
  return growth > 0 ? 1 : -1;
}

function describeConfidence(confidence: number): string {
  if (confidence >= SURE) return "Most of the past four weeks is known, and rounding hides little of the growth.";
  if (confidence >= HARDLY_SURE) return "Part of the past four weeks is unknown, or rounding hides some of the growth.";
  return "Little is known yet: there are few snapshots, or rounding hides most of the growth.";
}

function formatPerWeek(growth: number): string {
  return `${formatGrowth(toPercent(growth))} a week`;
}

/** Percent from log growth. */
function toPercent(growth: number): number {
  return 100 * Math.expm1(growth);
}
