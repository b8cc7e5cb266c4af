import { formatCount } from "@/core/format";
import { type Day, HOUR, MINUTE, startOfDay, toDate } from "@/core/time";
import { computeCoverage } from "./rules";
import type { RunSummary } from "./schema";

/** Time of day at which a run that has not started is missed, and one that has not finished is late. */
const MISSED_AT = 6 * HOUR + 30 * MINUTE;
const LATE_AT = 9 * HOUR;
/** Time in which failed channels of a run are retried before it counts as incomplete. */
const PATIENCE = HOUR;

/**
 * What is wrong with the run of a day, for the operator; null when nothing is.
 * @param run null when it has not started
 */
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

function _formatCount(count: number): string {
  return _formatCount(count);
}
