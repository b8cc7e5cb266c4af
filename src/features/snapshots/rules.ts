import { formatCount } from "@/core/format";
import { addDays, countSecondsBetween, type Day, HOUR, MINUTE, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import type { RunSummary } from "./schema";

/** Time of day at which the daily run is due. */
export const RUN_AT = 6 * HOUR;

/** The instant of a day's run: 06:00 UTC. */
export function getRunTime(day: Day): Date {
  return toDate(startOfDay(day).getTime() + RUN_AT);
}

/** When the next daily run is due: the next 06:00 UTC. */
export function getNextRunTime(now: Date): Date {
  const today = toUtcDay(now);
  return getRunTime(now < getRunTime(today) ? today : addDays(today, 1));
}

/** Seconds that a run took; null while it is running. */
export function countRunSeconds({ started_at, finished_at }: RunSummary): number | null {
  return finished_at === null ? null : countSecondsBetween(toDate(started_at), toDate(finished_at));
}

/** Share of a run's channels, 0 to 1, that were read or unavailable; null without channels. */
export function computeCoverage({ planned, read, unavailable }: RunSummary): number | null {
  return planned > 0 ? (read + unavailable) / planned : null;
}

/** The UTC day is over, so nothing more is written for it. */
export class DayOverError extends Error {
  constructor(day: Day) {
    super(`the day ${day} is over`);
    this.name = "DayOverError";
  }
}

/** The current instant. @throws DayOverError when it is not on the day */
export function requireDay({ clock }: CoreContext, day: Day): Date {
  const now = clock.now();
  if (toUtcDay(now) !== day) throw new DayOverError(day);
  return now;
}

/** Time of day at which a run that has not started is missed, and one that has not finished is late. */
const MISSED_AT = RUN_AT + 30 * MINUTE;
const LATE_AT = 9 * HOUR;
/** Time in which failed channels of a run are retried before it counts as incomplete. */
const PATIENCE = HOUR;
/** Time after its start in which a run must have covered this share of its channels, or it is overdue. */
const USUAL_DURATION = 30 * MINUTE;
const MIN_COVERAGE = 0.95;

/**
 * Whether today's run is overdue: due but not started, or with too little coverage half an hour after its start,
 * whatever it waits for.
 * @param latest the latest run; null before the first
 */
export function isRunOverdue(latest: RunSummary | null, now: Date): boolean {
  const today = toUtcDay(now);
  if (latest?.day !== today) return now.getTime() >= startOfDay(today).getTime() + RUN_AT;
  const isYoung = now.getTime() < toDate(latest.started_at).getTime() + USUAL_DURATION;
  return !isYoung && !isCovered(latest);
}

/** Whether a run has read enough of its channels, or has none. */
export function isCovered(run: RunSummary): boolean {
  return (computeCoverage(run) ?? 1) >= MIN_COVERAGE;
}

/** What is wrong with a day's run, for the operator; null when nothing is. @param run null when it has not started */
export function describeProblem(day: Day, run: RunSummary | null, now: Date): string | null {
  const since = now.getTime() - startOfDay(day).getTime();
  const name = `The daily run of ${day}`;
  if (!run) return since >= MISSED_AT ? `${name} has not started. It was due at 06:00 UTC` : null;
  const { planned, failed } = run;
  const done = planned - failed;
  if (run.finished_at === null) {
    const read = run.read + run.unavailable;
    return since >= LATE_AT
      ? `${name} is late: ${formatCount(read)} of ${formatCount(planned)} channels read so far`
      : null;
  }
  if (failed === 0 || now.getTime() - toDate(run.started_at).getTime() < PATIENCE) return null;
  if (done === 0) return `${name} failed: it could not read any of ${formatCount(planned)} channels`;
  const share = ((computeCoverage(run) ?? 0) * 100).toFixed(1);
  return `${name} is incomplete: it could not read ${formatCount(failed)} of ${formatCount(planned)} channels (coverage ${share}%)`;
}
