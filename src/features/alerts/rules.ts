import { formatCount } from "@/core/format";
import type { MailEventStatus } from "@/core/mail/email";
import { type ALERT_LABELS, type DELIVERY_STATUSES, OUTCOMES, type SEVERITIES } from "@/db/values";
import { computeGrowthPercent, computeRoundingError, formatPercent, isHighGrowth } from "@/features/growth/rules";
import type { CauseKind } from "./cause.rules";
import type { MailState } from "./schema";

export type Severity = (typeof SEVERITIES)[number];
export type AlertLabel = (typeof ALERT_LABELS)[number];
export type Outcome = (typeof OUTCOMES)[number];

/** What alerts can be filtered by. `pending` is an alert that is not graded yet. */
export const OUTCOME_CHOICES = [...OUTCOMES, "pending"] as const;
export type OutcomeChoice = (typeof OUTCOME_CHOICES)[number];

interface SeverityLevel {
  severity: Severity;
  /** Growth in percent from which the level applies. */
  from: number;
  color: string;
  meaning: string;
}

const WATCH: SeverityLevel = { severity: "WATCH", from: 10, color: "#22d3ee", meaning: "Notable growth, early signal" };

/** The email severity scale, strongest first. */
export const SEVERITY_SCALE: readonly SeverityLevel[] = [
  { severity: "EXPLOSIVE", from: 50, color: "#ff3366", meaning: "Massive spike" },
  { severity: "SURGING", from: 25, color: "#ff6b35", meaning: "Very fast growth" },
  { severity: "RISING FAST", from: 15, color: "#a855f7", meaning: "Strong growth" },
  WATCH,
];

/** The level of a severity. */
export function getSeverityLevel(severity: Severity): SeverityLevel {
  return SEVERITY_SCALE.find((level) => level.severity === severity) ?? WATCH;
}

/** The severity of a growth that makes an alert, in integer arithmetic. A bound belongs to the stronger severity. */
export function classifySeverity(before: number, after: number): SeverityLevel {
  const gained = 100n * (BigInt(after) - BigInt(before));
  return SEVERITY_SCALE.find(({ from }) => gained >= BigInt(before) * BigInt(from)) ?? WATCH;
}

/** Whether growth was above 10% even if the platform rounded the first count down as far as it can. */
export function isCertain(before: number, after: number): boolean {
  return isHighGrowth(before + computeRoundingError(before), after);
}

/** The message of an alert: `Some Maker grew 12.5% in one day (1,000 → 1,125)`. */
export function formatAlertMessage(name: string, before: number, after: number): string {
  const percent = formatPercent(computeGrowthPercent(before, after) ?? 0);
  return `${name} grew ${percent}% in one day (${formatCount(before)} → ${formatCount(after)})`;
}

/** The outcome that the API shows: the 28-day grade, or the 7-day grade while the other is missing or unclear. */
export function selectShownOutcome(after7Days: Outcome | null, after28Days: Outcome | null): Outcome | null {
  return after28Days === null || after28Days === "unclear" ? (after7Days ?? after28Days) : after28Days;
}

/** The state of a mail: our sending, then what the mail service reports. */
export function getMailState(status: (typeof DELIVERY_STATUSES)[number], receipt: MailEventStatus | null): MailState {
  if (status === "sent") return receipt ?? "sent";
  return status === "sending" ? "pending" : status;
}

/** The outlook of each label in words. It describes the time before the jump; the chance describes what may follow. */
export const LABEL_WORDS: Readonly<Record<AlertLabel, string>> = {
  sustained: "Sustained",
  single_day: "Single day",
  recovery: "Recovery",
  too_early: "Too early",
};

/** The kinds of causes in words, for the filter and the row. */
export const CAUSE_WORDS: Readonly<Record<CauseKind, string>> = {
  video: "A video",
  several: "Several videos",
  no_new_video: "No new video stands out",
  unknown: "Cause unknown",
  pending: "Not read yet",
};

export const CAUSES = Object.keys(CAUSE_WORDS) as CauseKind[];

/** The labels, those that say most first. */
export const LABELS = Object.keys(LABEL_WORDS) as AlertLabel[];
