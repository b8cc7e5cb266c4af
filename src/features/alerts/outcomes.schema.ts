import type { Day } from "@/core/time";
import type { AlertLabel, Outcome, Severity } from "./rules";

/** Alerts or rises by outcome. */
export type Grades = Record<Outcome, number>;

/** How the alerts of the whole service turned out. A channel's alerts of one day count once, whichever keys they went to. */
export interface Accuracy {
  from: Day;
  to: Day;
  /** Days on which a channel had an alert. */
  alerts: number;
  /** Alerts without another of the same channel in the 7 days before. */
  rises: number;
  /**
   * The mean of held_chance before its correction, the share that held for 7 days, the mean squared distance of both, and
   * the same had that share been given to all; null without graded alerts.
   */
  held_chance: { graded: number; predicted: number; seen: number; brier: number; base_brier: number } | null;
  /** By days from the alert to its grade. */
  horizons: {
    days: number;
    all: Grades;
    /** The first alert of each rise. */
    rises: Grades;
    by_severity: (Grades & { severity: Severity })[];
    /** By the month of the alert, newest first. */
    by_month: { month: string; all: Grades; rises: Grades }[];
    by_label: (Grades & { label: AlertLabel })[];
  }[];
}
