import { mean, pairs } from "d3-array";
import { formatDay, formatGrowth, formatQuantity } from "@/core/format";
import type { Day } from "@/core/time";
import { measurePast, type Past } from "./past.rules";
import { findSizeBand, SIZE_BANDS } from "./rules";
import type { ScoreSnapshot } from "./strength.rules";

/** A true clause about a channel, and its kind. */
interface Fact {
  kind: string;
  text: string;
}

const MAX_LENGTH = 90;
const NUMBERS = ["no", "one", "two", "three", "four"] as const;
/** Weekly growth in percent that is flat, either way. */
const FLAT = 0.3;
/** Weeks are alike, and a pace the same, within this factor. */
const ALIKE = 1.5;

/**
 * Tells in one sentence why a channel has its score, by the counts that were read: what the columns of a table do not
 * say. The first fact that is true leads; views or the pace follow.
 * @param snapshots of the last 28 days with the latest, in any order
 * @returns a sentence of at most 90 characters and the kinds of its clauses; null without two counts or from a count of
 * zero
 */
export function tellStory(snapshots: readonly ScoreSnapshot[], day: Day) {
  const past = measurePast(snapshots, day);
  if (!past) return null;
  const main = describeStart(past) ?? describeJump(past) ?? describeWeeks(past);
  const more = past.weeks.length === 0 ? null : describeViews(past, main.kind);
  const sentence = more ? `${main.text}; ${more.text}` : main.text;
  if (!more || sentence.length > MAX_LENGTH) return { sentence: main.text, kind: main.kind };
  return { sentence, kind: `${main.kind}, ${more.kind}` };
}

/** A history of under a week. */
function describeStart({ weeks, days, rises, jump, day }: Past): Fact | null {
  if (weeks.length > 0 || (jump && jump.day === day)) return null;
  const since = `Measured for ${formatQuantity(days, "day")}`;
  const jumped = jump && `, most of the gain on ${formatDay(jump.day)}`;
  const risen = rises === days ? "up on each" : `up on ${rises}`;
  return { kind: "start", text: `${since}${jumped ?? (rises === 0 ? " without growth" : `, ${risen}`)}` };
}

/** One day that made most of the growth, and whether it was kept. */
function describeJump({ jump, day, latest, weekBeforeJump, ...past }: Past): Fact | null {
  if (!jump) return null;
  if (jump.day === day) {
    const size = `${formatGrowth(jump.percent)} today`;
    if (weekBeforeJump === null) return { kind: "jump today", text: `${size}, within the first week of snapshots` };
    const before = formatGrowth(weekBeforeJump);
    if (weekBeforeJump > FLAT) return { kind: "jump of a riser", text: `${size} on top of ${before} the week before` };
    return weekBeforeJump < -FLAT
      ? { kind: "jump of a loser", text: `${size} after ${before} the week before` }
      : { kind: "jump from flat", text: `${size} after a flat week` };
  }
  const size = `${formatGrowth(jump.percent)} on ${formatDay(jump.day)}`;
  const gained = jump.after - jump.before;
  if (latest <= jump.before) return { kind: "jump gone", text: `${size} is gone again` };
  const lost = Math.round((100 * (jump.after - latest)) / gained);
  if (lost >= 10) return { kind: "jump fades", text: `${size}, and ${lost}% of that is lost again` };
  const [since, before] = [past.paceSinceJump, past.paceBeforeJump];
  if (since === null) return { kind: "jump stays", text: `${size}, and it stayed` };
  if (since <= FLAT / 7) return { kind: "jump stays flat", text: `${size}; it stayed, with little added since` };
  if (before !== null && since > ALIKE * Math.max(0, before))
    return { kind: "jump goes on", text: `${size}; it stayed, and growth is faster than before` };
  if (before !== null && since * ALIKE < before)
    return { kind: "jump slows", text: `${size}; it stayed, but growth is slower than before` };
  return { kind: "jump adds", text: `${size}; it stayed, and still adds more` };
}

/** How whole weeks compare, where no day stands out. */
function describeWeeks({ weeks }: Past): Fact {
  const [latest = 0, ...earlier] = weeks;
  if (latest < -FLAT) return describeFall(weeks);
  if (latest <= FLAT) return describePause(latest, earlier);
  const ups = countWhile(weeks, (week) => week > FLAT);
  const before = weeks[ups];
  const run = ups === 1 ? "up this week" : `up ${NUMBERS[ups]} weeks in a row`;
  if (before !== undefined) {
    const weeksBefore = weeks.slice(ups);
    if (before < -FLAT) return { kind: "turn", text: `${capitalize(run)} after losing subscribers` };
    const flat = countWhile(weeksBefore, (week) => Math.abs(week) <= FLAT);
    const text = ups === 1 ? "A first good week" : capitalize(run);
    return { kind: "awakening", text: `${text} after ${flat === 1 ? "a flat one" : `${NUMBERS[flat]} flat ones`}` };
  }
  if (ups === 1) return { kind: "first week", text: "A good first week" };
  return comparePaces(weeks, run);
}

/** Weeks that all grew. @param run them in words */
function comparePaces(weeks: readonly number[], run: string): Fact {
  const [latest = 0, ...earlier] = weeks;
  const ratio = latest / (mean(earlier) ?? latest);
  const before = earlier.length === 1 ? "the week before" : `the ${NUMBERS[earlier.length]} weeks before`;
  const isRow = (test: (newer: number, older: number) => boolean) =>
    earlier.length >= 2 && pairs(weeks.slice(0, 3)).every(([newer, older]) => test(newer, older));
  if (ratio >= 2) return { kind: "pace doubled", text: `Growing at ${formatTimes(ratio)} the pace of ${before}` };
  if (isRow((newer, older) => newer > older))
    return { kind: "acceleration", text: "Speeding up, each of the last two weeks faster" };
  if (isRow((newer, older) => newer < older))
    return { kind: "slowing", text: "Slowing down, each of the last two weeks weaker" };
  if (Math.max(...weeks) <= ALIKE * Math.min(...weeks))
    return { kind: "steady", text: `Steady: ${run} at an even pace` };
  if (ratio >= 1.2) return { kind: "faster", text: `A stronger week than ${before}` };
  if (ratio <= 0.8) return { kind: "slower", text: `Still up, but slower than ${before}` };
  return { kind: "uneven", text: `Strong and weaker weeks by turns, ${run}` };
}

function describeFall(weeks: readonly number[]): Fact {
  const falls = countWhile(weeks, (week) => week < -FLAT);
  if ((weeks[falls] ?? 0) > FLAT) return { kind: "fall after growth", text: "Losing subscribers after growth" };
  const text = falls === 1 ? "Lost subscribers this week" : `Losing subscribers for ${NUMBERS[falls]} weeks`;
  return { kind: "fall", text };
}

function describePause(latest: number, earlier: readonly number[]): Fact {
  const ups = countWhile(earlier, (week) => week > FLAT);
  if (ups > 0)
    return {
      kind: "pause",
      text: `A flat week after ${ups === 1 ? "a good one" : `${NUMBERS[ups]} good ones`}`,
    };
  const flat = 1 + countWhile(earlier, (week) => Math.abs(week) <= FLAT);
  const run = flat === 1 ? "this week" : `for ${NUMBERS[flat]} weeks`;
  const isStill = latest === 0 && earlier.slice(0, flat - 1).every((week) => week === 0);
  return isStill ? { kind: "still", text: `No change ${run}` } : { kind: "flat", text: `Barely moving ${run}` };
}

/** Medians of real channels by size band: subscribers gained for 1,000 views, and views of a week by subscriber. */
const TYPICAL = { gained: [15, 15, 7, 4, 2.8], views: [1.3, 0.46, 0.4, 0.75, 0.8] };
/** A channel stands out from its size by this factor. */
const ABOVE = 2;

/** What the week's views say, against the channel's own weeks, then against channels of its size. */
function describeViews({ views, latest }: Past, main: string): Fact | null {
  if (!views) return null;
  const { timesUsual, gainedPerThousand, perSubscriber } = views;
  if (timesUsual >= 2) return { kind: "views soar", text: `views at ${formatTimes(timesUsual)} their usual` };
  if (timesUsual >= 1.25) return { kind: "views rise", text: `views up ${toPercent(timesUsual)}% this week` };
  if (main.startsWith("jump")) return null;
  if (timesUsual <= 0.75) return { kind: "views fall", text: `views down ${toPercent(timesUsual)}% this week` };
  const band = findSizeBand(latest);
  const gain = Math.round(gainedPerThousand);
  if (gain >= ABOVE * (TYPICAL.gained[band] ?? 1))
    return { kind: "views convert", text: `${gain} subscribers per 1,000 views, ${ABOVE}x its size class or more` };
  if (perSubscriber >= ABOVE * (TYPICAL.views[band] ?? 1))
    return {
      kind: "views above size",
      text: latest < SIZE_BANDS[2] ? "small, with views well above its size" : "views well above its size",
    };
  return null;
}

function capitalize(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

function toPercent(times: number): number {
  return Math.round(100 * Math.abs(times - 1));
}

/** `twice`, `3 times`: rounded down. */
function formatTimes(times: number): string {
  return times < 3 ? "twice" : `${Math.floor(times)} times`;
}

function countWhile(weeks: readonly number[], test: (week: number, at: number) => boolean): number {
  const end = weeks.findIndex((week, at) => !test(week, at));
  return end < 0 ? weeks.length : end;
}
