import { formatShortCount } from "@/core/format";
import { addDays, countDaysBetween, type Day } from "@/core/time";
import { computeHeldCount } from "@/features/alerts/outcomes.rules";
import type { Alert } from "@/features/alerts/schema";
import type { Range } from "@/features/growth/calibration.rules";

/** Days that a chart looks ahead. */
export const FORECAST_DAYS = 7;
const HORIZON = 7;

/** What is drawn after the last day of a chart. */
export interface Forecast {
  /** The lowest and the highest count expected at its end. */
  range: Range | null;
  /** The count from which the latest alert counts as held, on the day it is graded. */
  held: { index: number; day: Day; count: number; label: string } | null;
}

type Graded = Pick<Alert, "day" | "subscribers_before" | "subscribers_after">;

/**
 * The forecast after the last charted day; null where nothing is expected.
 * @param count of that day @param alerts newest first
 */
export function buildForecast(
  days: readonly Day[],
  count: number | null,
  expected: Range | null,
  alerts: readonly Graded[],
): Forecast | null {
  const last = days.at(-1);
  if (last === undefined || count === null) return null;
  const [latest] = alerts;
  const held = latest ? buildHeldMark(latest, last, days.length - 1) : null;
  const range = expected && toCounts(count, expected);
  return range || held ? { range, held } : null;
}

/** The counts after a growth. */
export function toCounts(count: number, { low, high }: Range): Range {
  return { low: Math.round(count * (1 + low / 100)), high: Math.round(count * (1 + high / 100)) };
}

/** All counts of a forecast, which its axis has to hold. */
export function listCounts(forecast: Forecast | null): number[] {
  const { range, held } = forecast ?? {};
  return [...(range ? [range.low, range.high] : []), ...(held ? [held.count] : [])];
}

function buildHeldMark(alert: Graded, last: Day, lastIndex: number): Forecast["held"] {
  const day = addDays(alert.day, HORIZON);
  const ahead = countDaysBetween(last, day);
  if (ahead < 1 || ahead > FORECAST_DAYS) return null;
  const count = computeHeldCount(alert.subscribers_before, alert.subscribers_after, HORIZON);
  return { index: lastIndex + ahead, day, count, label: `held at ${formatShortCount(count)}` };
}
