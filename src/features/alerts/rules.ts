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

/** The severity of a growth that makes an alert. Bounds belong to the stronger level, compared in whole numbers. */
export function severityOf(before: number, after: number): SeverityLevel {
  const gained = 100n * (BigInt(after) - BigInt(before));
  return SEVERITY_SCALE.find(({ from }) => gained >= BigInt(before) * BigInt(from)) ?? WATCH;
}

/** Whether the growth was above 10 % whatever the platform's rounding hides. */
export function isCertain(before: number, after: number): boolean {
  return isHighGrowth(before + hiddenByRounding(before), after);
}

/** The sentence every alert carries: `Some Maker grew 12.5% in one day (1,000 → 1,125)`. */
export function alertMessage(name: string, before: number, after: number): string {
  const percent = percentText(growthPercent(before, after) ?? 0);
  return `${name} grew ${percent}% in one day (${grouped(before)} → ${grouped(after)})`;
}

const counts = new Intl.NumberFormat("en-US");

function grouped(count: number): string {
  return counts.format(count);
}

/**
 * The one outcome that a reader is told: what 28 days have shown, or 7 days as long as that is not known or not clear.
 */
export function shownOutcome(after7Days: Outcome | null, after28Days: Outcome | null): Outcome | null {
  return after28Days === null || after28Days === "unclear" ? (after7Days ?? after28Days) : after28Days;
}

/** How far a mail has come: what we know of its sending, and once it was sent, what the mail service told of it since. */
export function mailStateOf(
  status: (typeof DELIVERY_STATUSES)[number],
  receipt: (typeof RECEIPTS)[number] | null,
): MailState {
  if (status === "sent") return receipt ?? "sent";
  return status === "sending" ? "pending" : status;
}

/** A label with the one sentence that says why. */
export interface Judgement {
  label: AlertLabel;
  reason: string;
}

/** How each label is read. */
export const LABEL_WORDS: Readonly<Record<AlertLabel, string>> = {
  sustained: "Looks sustained",
  spike: "Looks like a spike",
  too_early: "Too early to tell",
};

const WINDOW_DAYS = 28;
/** With fewer days of readings a first rise cannot be told from a usual one. */
const LEAST_DAYS = 14;
/** A rise was under way if the channel grew by so many percent a week before the day. */
const RISING_PACE = 5;
/** Less than that will do, but some, where its videos are watched so many times as much as before. */
const STIRRING_PACE = 1;
const VIEWS_FACTOR = 1.5;

/**
 * Judges the rise of an alert by what came before its day: `sustained` where the channel was growing already, by 5 % a
 * week, or by 1 % with at least 1.5 times the daily views of the weeks before; `spike` where the day stands alone;
 * `too_early` with fewer than 14 days of readings.
 * @param past readings of the days before, in any order; older ones than 28 days are ignored
 * @param current the day's counts, above zero
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
  if (known.length < LEAST_DAYS || !start?.subscribers) {
    const days = known.length === 1 ? "1 day" : `${known.length} days`;
    const reason = `There are readings of ${days} before it; ${LEAST_DAYS} are needed to tell a rise from a spike.`;
    return { label: "too_early", reason };
  }
  const weeks = (daysBetween(start.day, day) - 1) / 7;
  const pace = 100 * ((current.before / start.subscribers) ** (1 / weeks) - 1);
  const views = viewsFactor(day, window, current.views);
  const isRising = pace >= RISING_PACE;
  const isStirring = pace >= STIRRING_PACE && views !== null && views >= VIEWS_FACTOR;
  const grew = paceInWords(pace);
  const watched =
    views === null ? "" : `its daily views are ${views.toFixed(1)} times those of the weeks before`;
  if (isRising)
    return {
      label: "sustained",
      reason: `${grew}, so the day continues a rise${watched && `; ${watched}`}.`,
    };
  if (isStirring) return { label: "sustained", reason: `${grew}, and ${watched}.` };
  return { label: "spike", reason: `${grew}, so the day stands alone${watched && `; ${watched}`}.` };
}

/** Daily views of the last seven days, the day of the alert included, over those before them; null when unknown. */
function viewsFactor(day: Day, window: readonly PastReading[], views: number | null): number | null {
  const known = window.filter((reading) => reading.views !== null);
  const middle = known.findLast((reading) => reading.day <= addDays(day, -7));
  const oldest = known[0];
  if (views === null || !middle || !oldest || daysBetween(oldest.day, middle.day) < 7) return null;
  const recent = (views - Number(middle.views)) / daysBetween(middle.day, day);
  const earlier = (Number(middle.views) - Number(oldest.views)) / daysBetween(oldest.day, middle.day);
  // Totals fall when videos are taken down; what is left then tells nothing.
  return recent >= 0 && earlier > 0 ? recent / earlier : null;
}

function paceInWords(pace: number): string {
  const percent = Math.abs(pace).toFixed(1);
  if (Number(percent) === 0) return "It did not grow in the week before";
  return pace > 0 ? `It grew by ${percent}% a week before` : `It lost ${percent}% a week before`;
}
