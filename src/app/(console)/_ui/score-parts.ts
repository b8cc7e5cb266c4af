import type { Creator, CreatorDetails } from "@/features/creators/schema";
import { formatCount, formatGrowth, formatQuantity, formatShare } from "@/ui/format";

/** One part of a score: its name, its value, and what it says, in a sentence. */
export interface ExplainedPart {
  name: string;
  value: string;
  text: string;
}

type Explained = Pick<Creator, "counts" | "score_basis"> & Pick<CreatorDetails, "score_parts">;
type Parts = NonNullable<CreatorDetails["score_parts"]>;

const WEEKS = 4;
/** Weekly growth (log) that is told as none: it would be shown as 0.0 %. */
const NOTHING = 0.0005;
/** From here on the growth of 28 days is known well enough to be called so. */
const SURE = 0.66;
const HARDLY_SURE = 0.33;

/** What stands for a score without parts. */
export function scoreBasisText({ counts, score_basis, score_parts }: Explained): string {
  if (counts === "unread") return "The channel is not measured yet, so it has no score.";
  if (counts === "hidden") return "The channel hides its subscribers, so it has no score.";
  if (score_basis === "profile")
    return "No growth is measured: that takes two days with a shown count. The score rests on how far the channel’s videos travel beyond its subscribers, and stays below 50.";
  return score_parts
    ? "The score weighs growth against channels of its size: recent growth most, then what its views promise, then the whole four weeks."
    : "The parts of this score come with the next daily reading.";
}

/** The parts of a score in words, the weightiest first. */
export function explainScore(parts: Parts): ExplainedPart[] {
  return [
    {
      name: "Recent growth",
      value: perWeek(parts.growth_recent),
      text: "The pace of four weeks, the newest days counting most and sudden falls little. It weighs most in the score.",
    },
    {
      name: "Last 7 days",
      value: formatGrowth(percentOf(parts.growth_7d)),
      text: "Growth over the week, with the steps of rounding evened out.",
    },
    {
      name: "Last 28 days",
      value: perWeek(parts.growth_28d),
      text: "The average week of four; days before the first reading count as days without growth.",
    },
    { name: "Pace", ...pace(parts) },
    byViews(parts.growth_by_views),
    {
      name: "Persistence",
      value: `${formatCount(parts.persistence * WEEKS)} of ${formatQuantity(WEEKS, "week")}`,
      text: "Weeks of the last four in which the shown count rose. Steady growth counts for more than a burst.",
    },
    reach(parts.reach),
    { name: "Confidence", value: formatShare(parts.confidence), text: confidenceText(parts.confidence) },
  ];
}

function byViews(growth: Parts["growth_by_views"]): ExplainedPart {
  const name = "Promised by views";
  if (growth === null)
    return { name, value: "not known", text: "Views are known of fewer than two days, so they add nothing." };
  return {
    name,
    value: perWeek(growth),
    text: "What the week’s views would bring at the channel’s own rate of subscribers per view.",
  };
}

function reach(views: Parts["reach"]): ExplainedPart {
  const name = "Reach";
  if (views === null)
    return { name, value: "not known", text: "Views are known of fewer than two days, so they add nothing." };
  return {
    name,
    value: `${formatCount(Math.round(views * 100))} per 100`,
    text: "Views a week for each 100 subscribers.",
  };
}

/** How the newest days compare with the four weeks. Of a channel that shrinks in both nothing can be told. */
function pace({ growth_recent: now, growth_28d: month, acceleration }: Parts): Omit<ExplainedPart, "name"> {
  const before = COURSE[directionOf(month)];
  if (directionOf(now) === 0)
    return { value: "still", text: `It stands still now; over the four weeks it ${before}.` };
  if (directionOf(now) === -1 && directionOf(month) === -1)
    return { value: "falling", text: "It shrinks now, and has shrunk over the four weeks." };
  if (directionOf(now) === -1)
    return { value: "turned down", text: `It shrinks now; over the four weeks it ${before}.` };
  if (directionOf(month) !== 1)
    return {
      value: "turned up",
      text: `It grows now, sudden falls aside; over the four weeks it ${before}.`,
    };
  if (directionOf(acceleration) === 0)
    return { value: "even", text: "It grows as fast now as over the four weeks." };
  const value = acceleration > 0 ? "faster" : "slower";
  const points = formatGrowth(100 * Math.abs(acceleration)).replace("+", "");
  return { value, text: `It grows ${points} a week ${value} now than over the four weeks.` };
}

const COURSE = { 1: "grew", 0: "stood still", [-1]: "shrank" } as const;

/** Which way a weekly growth (log) goes, as far as it is told. */
function directionOf(growth: number): keyof typeof COURSE {
  if (Math.abs(growth) < NOTHING) return 0;
  return growth > 0 ? 1 : -1;
}

function confidenceText(confidence: number): string {
  if (confidence >= SURE) return "Most of the four weeks is known, and rounding hides little of the growth.";
  if (confidence >= HARDLY_SURE)
    return "Part of the four weeks is not known yet, or rounding hides some of the growth.";
  return "Little is known yet: few days are read, or rounding hides most of the growth.";
}

function perWeek(growth: number): string {
  return `${formatGrowth(percentOf(growth))} a week`;
}

/** Percent of a growth in log. */
function percentOf(growth: number): number {
  return 100 * Math.expm1(growth);
}
