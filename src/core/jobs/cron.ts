import { OperatorError } from "@/core/errors";
import { instant, MINUTE } from "@/core/time";

/** A schedule that repeats every day, in UTC. */
export interface Cron {
  readonly source: string;
  matches(at: Date): boolean;
}

/**
 * Reads five cron fields. Minute and hour may be `*`, a number or `*` with a step; the other three must be `*`.
 * Throws OperatorError for any other schedule.
 */
export function parseCron(source: string): Cron {
  const [minute = "", hour = "", ...days] = source.replace(/^TZ=UTC /, "").split(" ");
  const minuteFits = parseField(minute, 60);
  const hourFits = parseField(hour, 24);
  if (!minuteFits || !hourFits || days.join(" ") !== "* * *")
    throw new OperatorError(`The embedded job engine does not support the schedule "${source}"`);
  return { source, matches: (at) => minuteFits(at.getUTCMinutes()) && hourFits(at.getUTCHours()) };
}

/** The first instant after the given one at which the schedule is due. */
export function nextDue(cron: Cron, after: Date): Date {
  let at = (Math.floor(after.getTime() / MINUTE) + 1) * MINUTE;
  while (!cron.matches(instant(at))) at += MINUTE;
  return instant(at);
}

function parseField(text: string, size: number): ((value: number) => boolean) | undefined {
  if (text === "*") return () => true;
  const [, step, digits] = /^(\*\/)?(\d{1,2})$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === undefined || number >= size) return undefined;
  if (step === undefined) return (value) => value === number;
  return number === 0 ? undefined : (value) => value % number === 0;
}
