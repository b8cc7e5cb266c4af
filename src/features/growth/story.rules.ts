import { greatest, pairs, sum } from "d3-array";
import { formatGrowth, formatQuantity, formatWeekday } from "@/core/format";
import { countDaysBetween, type Day } from "@/core/time";
import { computeGrowthPercent } from "./rules";
import type { ScoreSnapshot } from "./strength.rules";

/** Why a channel is where it is in a list: one sentence, and the figures that it names. */
export interface Story {
  /** At most 110 characters. */
  sentence: string;
  /** Growth in percent of the shown counts over so many days up to the latest snapshot. */
  figures: { percent: number; days: number };
}

/** Days of the window that a row shows, which the story prefers. */
const WEEK = 7;
/** Share of the gains of a window from which one day made most of it. */
const MOST = 0.6;
/** A window grew faster than the days before it from this factor on. */
const FASTER = 1.5;

interface Count {
  day: Day;
  subscribers: number;
}

/**
 * Tells in one sentence why a channel has its score, by the counts that were read. It names the growth of 7 days where
 * both counts are known, as the row does, else that since the first count of these days.
 * @param snapshots of the last 28 days with the latest, in any order
 * @returns null without two counts or from a count of zero
 */
export function tellStory(snapshots: readonly ScoreSnapshot[], day: Day): Story | null {
  const counts = snapshots
    .flatMap(({ day, subscribers }) => (subscribers === null ? [] : [{ day, subscribers }]))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
  const last = counts.at(-1);
  const start = counts.find((count) => countDaysBetween(count.day, day) <= WEEK);
  const before = start && start !== last ? start : counts.at(-2);
  if (!last || !before || last.day !== day) return null;
  const percent = computeGrowthPercent(before.subscribers, last.subscribers);
  if (percent === null) return null;
  const figures = { percent, days: countDaysBetween(before.day, day) };
  return { sentence: writeSentence(figures, counts, counts.indexOf(before)), figures };
}

/** @param from index in `counts` of the first count of the figures */
function writeSentence({ percent, days }: Story["figures"], counts: readonly Count[], from: number): string {
  const span = formatSpan(days, counts[from]?.day ?? "");
  const pace = comparePace(counts, from);
  if (percent <= 0) {
    const shown = percent === 0 ? `No growth ${span}` : `${formatGrowth(percent)} ${span}`;
    return pace === "slower" ? `${shown}; it grew before` : shown;
  }
  const growth = `${formatGrowth(percent)} ${span}`;
  const jump = days > 1 ? findJump(counts.slice(from)) : null;
  if (jump) return `${growth}, most of it on ${formatWeekday(jump.day)}${jump.after}`;
  if (pace) return `${growth}, ${pace} than in the ${countDaysBefore(counts, from)} days before`;
  return days > 1 ? `${growth}, up on ${formatQuantity(countRises(counts.slice(from)), "day")}` : growth;
}

function formatSpan(days: number, since: Day): string {
  if (days === 1) return "in one day";
  return days < WEEK ? `since ${formatWeekday(since)}` : `in ${days} days`;
}

/** The day that made most of the gains of a window, and what came after it. */
function findJump(counts: readonly Count[]): { day: Day; after: string } | null {
  const gains = pairs(counts, (before, { day, subscribers }) => ({ day, gain: subscribers - before.subscribers }));
  const largest = greatest(gains, ({ gain }) => gain);
  const all = sum(gains, ({ gain }) => Math.max(0, gain));
  if (!largest || all === 0 || largest.gain < MOST * all) return null;
  const later = gains.slice(gains.indexOf(largest) + 1);
  if (later.length === 0) return { day: largest.day, after: "" };
  return { day: largest.day, after: later.some(({ gain }) => gain > 0) ? ", and growing since" : ", none since" };
}

/** Compares the weekly pace since a count with that of the days before it; null when alike, or with under 7 such days. */
function comparePace(counts: readonly Count[], from: number): "faster" | "slower" | null {
  const [first, start, last] = [counts[0], counts[from], counts.at(-1)];
  if (!first || !start || !last || countDaysBefore(counts, from) < WEEK) return null;
  const before = computePace(first, start);
  const now = computePace(start, last);
  if (now > Math.max(0, FASTER * before)) return "faster";
  return before > Math.max(0, FASTER * now) ? "slower" : null;
}

function computePace(before: Count, after: Count): number {
  const growth = Math.log(Math.max(1, after.subscribers) / Math.max(1, before.subscribers));
  return growth / countDaysBetween(before.day, after.day);
}

function countDaysBefore(counts: readonly Count[], from: number): number {
  const [first, start] = [counts[0], counts[from]];
  return first && start ? countDaysBetween(first.day, start.day) : 0;
}

function countRises(counts: readonly Count[]): number {
  return pairs(counts).filter(([before, after]) => after.subscribers > before.subscribers).length;
}
