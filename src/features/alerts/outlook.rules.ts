import { formatQuantity } from "@/core/format";
import { addDays, countDaysBetween, type Day } from "@/core/time";
import { type Correction, correctChance } from "@/features/growth/correction.rules";
import { formatPercent, type PastSnapshot } from "@/features/growth/rules";
import { HISTORY_DAYS } from "@/features/growth/strength.rules";
import type { AlertLabel } from "./rules";

/** Days before a jump over which its pace is measured. */
const PACE_DAYS = 7;
/** An alert that gained fewer subscribers says so. */
const MIN_GAINED = 10;
/** Snapshots that a label needs. */
const MIN_DAYS = 7;
/** Weekly growth in percent from which a channel was already growing. */
const RISING_PACE = 5;

/** Alerts of real histories by outcome after 7 days (docs/score.md). */
interface SimilarAlerts {
  held: number;
  graded: number;
}
const BACK_AGAIN: SimilarAlerts = { held: 0, graded: 5 };
const PACE_UNKNOWN: SimilarAlerts = { held: 9, graded: 11 };
/** By the weekly growth in percent before the jump, fastest first. */
const YOUNG = [
  { from: 15, like: { held: 32, graded: 34 } },
  { from: Number.NEGATIVE_INFINITY, like: { held: 6, graded: 10 } },
];
const KNOWN = [
  { from: 15, like: { held: 63, graded: 80 } },
  { from: 1, like: { held: 38, graded: 79 } },
  { from: Number.NEGATIVE_INFINITY, like: { held: 9, graded: 35 } },
];

/**
 * Classifies an alert by the 28 days before it: `recovery` when the count returned to an earlier one; `too_early` with
 * under 7 days of snapshots; `sustained` when the channel was growing 5% a week; `single_day` otherwise.
 * @param past snapshots in any order; those outside the 28 days are ignored
 * @param counts of the alert, above zero
 * @param correction of the chance by the service's own record
 * @returns the label, its reason in one or two sentences, and the share of similar alerts graded `held` after 7 days, 0
 * to 1, with and without the correction
 */
export function classifyOutlook(
  day: Day,
  past: readonly PastSnapshot[],
  counts: { before: number; after: number },
  correction?: Correction,
) {
  const createOutlook = (label: AlertLabel, reason: string, like: SimilarAlerts) =>
    describeOutlook(label, reason, computeHeldChance(like), correction);
  const oldest = addDays(day, -HISTORY_DAYS);
  const known = past
    .filter((snapshot) => snapshot.day >= oldest && snapshot.day < day && snapshot.subscribers)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
  const highest = Math.max(0, ...known.map(({ subscribers }) => subscribers ?? 0));
  if (highest >= counts.after)
    return createOutlook("recovery", "It had as many subscribers within the 28 days before.", BACK_AGAIN);
  const pace = computePace(day, known, counts.before);
  if (known.length < MIN_DAYS) {
    const days = known.length === 1 ? "1 day" : `${known.length} days`;
    const like = pace === null ? PACE_UNKNOWN : findSimilar(YOUNG, pace);
    return createOutlook("too_early", `Only ${days} of snapshots before this jump.`, like);
  }
  return createOutlook(
    (pace ?? 0) >= RISING_PACE ? "sustained" : "single_day",
    `It was ${formatPace(pace ?? 0)} before this jump.`,
    findSimilar(KNOWN, pace ?? 0),
  );
}

/** The sentence that a reason gets when {@link isBaselineFrozen}. */
export const FROZEN_REASON = "The count stood still the day before, so this jump may cover two days.";

/** The sentence that a reason gets when the channel gained fewer than 10 subscribers; null otherwise. */
export function describeFewGained({ before, after }: { before: number; after: number }): string | null {
  const gained = after - before;
  return gained < MIN_GAINED ? `It gained only ${formatQuantity(gained, "subscriber")}.` : null;
}

/**
 * Whether the platform may not have updated the day before a rise: its subscribers and views are those of the day before
 * it, although they stood still on at most a quarter of the other days.
 * @param current the snapshot that rose @param past snapshots of the 28 days before, in any order
 */
export function isBaselineFrozen(current: PastSnapshot, past: readonly PastSnapshot[]): boolean {
  const days = new Map([...past, current].map((snapshot) => [snapshot.day, snapshot]));
  const stood = new Map<Day, boolean>();
  for (const { day, subscribers, views } of days.values()) {
    const before = days.get(addDays(day, -1));
    if (before && views !== null && before.views !== null)
      stood.set(day, subscribers === before.subscribers && views === before.views);
  }
  const still = [...stood.values()].filter(Boolean).length - 1;
  return stood.get(addDays(current.day, -1)) === true && 4 * still <= stood.size - 1;
}

// One held and one faded alert are added, so a small group never gives 0% or 100%.
function computeHeldChance({ held, graded }: SimilarAlerts): number {
  return Math.round((100 * (held + 1)) / (graded + 2)) / 100;
}

function describeOutlook(label: AlertLabel, reason: string, fitted: number, correction?: Correction) {
  const chance = Math.round(100 * correctChance(fitted, correction)) / 100;
  const share = `${Math.round(100 * chance)}% of such jumps kept growing (at least half as much again in 7 days).`;
  return { label, reason: `${reason} ${share}`, held_chance: chance, fitted_held_chance: fitted };
}

function findSimilar(groups: readonly { from: number; like: SimilarAlerts }[], pace: number): SimilarAlerts {
  return groups.find(({ from }) => pace >= from)?.like ?? PACE_UNKNOWN;
}

/** Weekly growth in percent up to the day before; null with one snapshot. */
function computePace(day: Day, known: readonly PastSnapshot[], before: number): number | null {
  const [recent] = known.filter((snapshot) => snapshot.day >= addDays(day, -1 - PACE_DAYS));
  const start = recent && recent.day < addDays(day, -1) ? recent : known.findLast((one) => one.day < addDays(day, -1));
  if (!start?.subscribers) return null;
  const weeks = (countDaysBetween(start.day, day) - 1) / 7;
  return 100 * ((before / start.subscribers) ** (1 / weeks) - 1);
}

function formatPace(pace: number): string {
  const percent = formatPercent(Math.abs(pace));
  if (percent === "0.0") return "not growing";
  return `${pace > 0 ? "growing" : "shrinking"} ${percent}% a week`;
}
