import type { ALERT_LABELS, DELIVERY_STATUSES, OUTCOMES, RECEIPTS, SEVERITIES } from "@/core/db/schema";
import { addDays, type Day, daysBetween } from "@/core/time";
import {
  growthPercent,
  hiddenByRounding,
  isHighGrowth,
  type PastReading,
  percentText,
} from "@/features/growth/rules";
import type { MailState } from "./schema";

export type Severity = (typeof SEVERITIES)[number];
export type AlertLabel = (typeof ALERT_LABELS)[number];
export type Outcome = (typeof OUTCOMES)[number];

/** What alerts can be filtered by. `pending` is an alert that is not graded yet. */
export const OUTCOME_CHOICES = ["held", "faded", "unclear", "pending"] as const satisfies readonly (
  | Outcome
  | "pending"
)[];
export type OutcomeChoice = (typeof OUTCOME_CHOICES)[number];

interface SeverityLevel {
  severity: Severity;
  /** Growth in percent from which the level applies. */
  from: number;
  color: string;
  meaning: string;
}

const WATCH: SeverityLevel = {
  severity: "WATCH",
  from: 10,
  color: "#22d3ee",
  meaning: "Notable growth, early signal",
};

/** The email severity scale, strongest first. */
export const SEVERITY_SCALE: readonly SeverityLevel[] = [
  { severity: "EXPLOSIVE", from: 50, color: "#ff3366", meaning: "Massive spike" },
  { severity: "SURGING", from: 25, color: "#ff6b35", meaning: "Very fast growth" },
  { severity: "RISING FAST", from: 15, color: "#a855f7", meaning: "Strong growth" },
  WATCH,
];

/** The severity of a growth that makes an alert, in integer arithmetic. A bound belongs to the stronger severity. */
export function severityOf(before: number, after: number): SeverityLevel {
  const gained = 100n * (BigInt(after) - BigInt(before));
  return SEVERITY_SCALE.find(({ from }) => gained >= BigInt(before) * BigInt(from)) ?? WATCH;
}

/** Whether growth was above 10% even if the platform rounded the first count down as far as it can. */
export function isCertain(before: number, after: number): boolean {
  return isHighGrowth(before + hiddenByRounding(before), after);
}

/** The message of an alert: `Some Maker grew 12.5% in one day (1,000 → 1,125)`. */
export function alertMessage(name: string, before: number, after: number): string {
  const percent = percentText(growthPercent(before, after) ?? 0);
  return `${name} grew ${percent}% in one day (${grouped(before)} → ${grouped(after)})`;
}

const counts = new Intl.NumberFormat("en-US");

function grouped(count: number): string {
  return counts.format(count);
}

/** The outcome that the API shows: the 28-day grade, or the 7-day grade while the other is missing or unclear. */
export function shownOutcome(after7Days: Outcome | null, after28Days: Outcome | null): Outcome | null {
  return after28Days === null || after28Days === "unclear" ? (after7Days ?? after28Days) : after28Days;
}

/** The state of a mail: our sending, then what the mail service reports. */
export function mailStateOf(
  status: (typeof DELIVERY_STATUSES)[number],
  receipt: (typeof RECEIPTS)[number] | null,
): MailState {
  if (status === "sent") return receipt ?? "sent";
  return status === "sending" ? "pending" : status;
}

/** A label and one sentence that gives the reason. */
export interface Judgement {
  label: AlertLabel;
  reason: string;
}

/** What readers see for each label. */
export const LABEL_WORDS: Readonly<Record<AlertLabel, string>> = {
  sustained: "Looks sustained",
  spike: "Looks like a spike",
  too_early: "Too early to tell",
};

/** The labels, those that say most first. */
export const LABELS = Object.keys(LABEL_WORDS) as AlertLabel[];

const WINDOW_DAYS = 28;
/** Days of readings needed to tell a sustained rise from a spike. */
const LEAST_DAYS = 14;
/** Weekly growth in percent that makes a rise sustained. */
const RISING_PACE = 5;
/** Weekly growth in percent that does so together with views that grew by the factor. */
const STIRRING_PACE = 1;
const VIEWS_FACTOR = 1.5;

/**
 * Judges the rise of an alert by the 28 days before it: `sustained` where the channel was growing by 5% a week, or by
 * 1% with 1.5 times the daily views of the weeks before; `spike` otherwise; `too_early` with under 14 days of readings.
 * @param past readings in any order; those outside of the 28 days are ignored
 * @param current the count before the rise, above zero, and the day's total views
 */
export function judgeRise(
  day: Day,
  past: readonly PastReading[],
  current: { before: number; views: number | null },
): Judgement {
  const window = past
    .filter((reading) => reading.day >= addDays(day, -WINDOW_DAYS) && reading.day < day)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
  const known = window.filter(({ subscribers }) => subscribers);
  const start = known.findLast((reading) => reading.day <= addDays(day, -8));
  if (known.length < LEAST_DAYS || !start?.subscribers) return tooEarly(known.length);
  const weeks = (daysBetween(start.day, day) - 1) / 7;
  const pace = 100 * ((current.before / start.subscribers) ** (1 / weeks) - 1);
  const views = viewsFactor(day, window, current.views);
  const isSustained =
    pace >= RISING_PACE || (pace >= STIRRING_PACE && views !== null && views >= VIEWS_FACTOR);
  const watched =
    views === null ? "" : ` Its daily views were ${views.toFixed(1)} times those of the weeks before.`;
  return {
    label: isSustained ? "sustained" : "spike",
    reason: `It was ${paceInWords(pace)} before this jump.${watched}`,
  };
}

function tooEarly(knownDays: number): Judgement {
  const days = knownDays === 1 ? "1 day" : `${knownDays} days`;
  const reason = `Only ${days} of snapshots before this jump. It takes ${LEAST_DAYS} to tell a rise from a spike.`;
  return { label: "too_early", reason };
}

/** Daily views of the seven days up to the alert, divided by those before; null when unknown. */
function viewsFactor(day: Day, window: readonly PastReading[], views: number | null): number | null {
  const known = window.filter((reading) => reading.views !== null);
  const middle = known.findLast((reading) => reading.day <= addDays(day, -7));
  const oldest = known[0];
  if (views === null || !middle || !oldest || daysBetween(oldest.day, middle.day) < 7) return null;
  const recent = (views - Number(middle.views)) / daysBetween(middle.day, day);
  const earlier = (Number(middle.views) - Number(oldest.views)) / daysBetween(oldest.day, middle.day);
  // Totals fall when videos are deleted.
  return recent >= 0 && earlier > 0 ? recent / earlier : null;
}

function paceInWords(pace: number): string {
  const percent = percentText(Math.abs(pace));
  if (percent === "0.0") return "not growing";
  return `${pace > 0 ? "growing" : "shrinking"} ${percent}% a week`;
}
