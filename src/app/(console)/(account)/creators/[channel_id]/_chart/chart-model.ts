import { formatGrowth, formatShortCount } from "@/core/format";
import { addDays, countDaysBetween, type Day } from "@/core/time";
import { computeHeldCount } from "@/features/alerts/outcomes.rules";
import type { Alert } from "@/features/alerts/schema";
import type { ComparedCreator } from "@/features/creators/history.service";
import type { Creator, HistorySnapshot } from "@/features/creators/schema";
import type { Range } from "@/features/growth/calibration.rules";
import { computeRoundingError } from "@/features/growth/rules";
import { type Axis, type AxisScale, createAxis, createPercentAxis } from "../../../../_ui/axis";
import { getDisplayName } from "../../../../_ui/names";
import { toCounts } from "../../../../_ui/numbers";
import type { Values } from "./frame";
import {
  type AlertMark,
  type ChartedAlert,
  type DayNote,
  listAlertMarks,
  listUploadMarks,
  type Upload,
  type UploadMark,
} from "./notes";
import type { SnapshotDay } from "./snapshot-days";

export interface ChartLine {
  /** The channel id, or `before`. */
  id: string;
  name: string;
  /** Decides colour and dashes: the creator's own is 0, its period before `before`, and those it is compared with 1 to 4. */
  look: number | "before";
  counts: Values;
  /** What is drawn: the counts, or percent. */
  values: Values;
}

export interface ChartModel {
  days: readonly SnapshotDay[];
  /** The creator's own first. */
  lines: ChartLine[];
  /** The highest true counts behind the creator's rounded ones; null for percent. */
  highest: Values | null;
  /** Of a single line; several have colours of their own. */
  trend?: Trend;
  axis: Axis;
  /** What is expected after the last day; null for percent. */
  forecast: Forecast | null;
  alerts: AlertMark[];
  uploads: UploadMark[];
  notes: readonly DayNote[];
  /** The first common day of lines in percent; null for one line of counts. */
  since: Day | null;
  /** Names of lines that have no day in common with the creator's own. */
  leftOut: string[];
  formatEnd(value: number): string;
}

type Named = Pick<Creator, "channel_id" | "name">;

export interface Charted extends Named {
  days: readonly SnapshotDay[];
  /** All snapshots of the creator. */
  history: readonly HistorySnapshot[];
  scale?: AxisScale;
  compared?: readonly ComparedCreator[];
  isBeforeShown?: boolean;
  /** The growth expected after the days, in percent; null where it is not known. */
  expected: Range | null;
  /** Newest first. */
  alerts?: readonly ChartedAlert[];
  uploads?: readonly Upload[];
  notes?: readonly DayNote[];
}

/** The chart's model; null with fewer than two counts. */
export function buildChartModel(charted: Charted): ChartModel | null {
  const { days, scale, expected, alerts = [], uploads = [], notes = [] } = charted;
  const counts = days.map(({ snapshot }) => snapshot?.subscribers ?? null);
  const known = counts.filter((count) => count !== null);
  if (known.length < 2) return null;
  const dates = days.map(({ day }) => day);
  const marks = { alerts: listAlertMarks(dates, alerts), uploads: listUploadMarks(dates, uploads, alerts), notes };
  const own = buildLine(charted, 0, counts);
  const given = buildOtherLines(charted);
  const others = given.filter((line) => compare([counts, line.counts]).base !== null);
  const { base, percents } = compare([own, ...others].map((line) => line.counts));
  // Lines with no day common to all of them cannot share a scale.
  if (others.length === 0 || base === null) {
    const highest = getHighestCounts(counts);
    const forecast = buildForecast(dates, counts.at(-1) ?? null, expected, alerts);
    const axis = createAxis([...known, ...highest.filter((count) => count !== null), ...listCounts(forecast)], scale);
    const leftOut = given.map(({ name }) => name);
    const single = { lines: [own], trend: getTrend(counts), highest, axis, forecast, since: null, leftOut };
    return { ...marks, ...single, days, formatEnd: formatShortCount };
  }
  const lines = [own, ...others].map((line, index) => ({ ...line, values: percents[index] ?? [] }));
  const knownPercents = percents.flat().filter((percent) => percent !== null);
  return {
    ...marks,
    days,
    lines,
    highest: null,
    forecast: null,
    axis: createPercentAxis(knownPercents, scale),
    since: days[base]?.day ?? null,
    leftOut: given.filter((line) => !others.includes(line)).map(({ name }) => name),
    formatEnd: formatGrowth,
  };
}

function buildLine(creator: Named, look: number, counts: Values): ChartLine {
  return { id: creator.channel_id, name: getDisplayName(creator), look, counts, values: counts };
}

/** What the creator is compared with. */
export function buildOtherLines({ days, history, compared = [], isBeforeShown }: Charted): ChartLine[] {
  const dates = days.map(({ day }) => day);
  const creators = compared.map((creator, index) => buildLine(creator, index + 1, getCounts(dates, creator.history)));
  const before = isBeforeShown ? getCountsBefore(dates, history) : null;
  if (!before) return creators;
  return [...creators, { id: "before", name: "Period before", look: "before", counts: before, values: before }];
}

/** The highest true count of each day behind the rounded ones. */
export function getHighestCounts(counts: Values): Values {
  return counts.map((count) => count && count + computeRoundingError(count));
}

type Trend = "up" | "down" | "flat";

/** The direction of counts from the first to the last. */
export function getTrend(counts: Values): Trend {
  const known = counts.filter((count) => count !== null);
  const gained = (known.at(-1) ?? 0) - (known[0] ?? 0);
  return gained > 0 ? "up" : gained < 0 ? "down" : "flat";
}

/** The subscribers of a creator on the days of a chart. @param shift days between the chart's day and the counted one */
export function getCounts(days: readonly Day[], snapshots: readonly HistorySnapshot[], shift = 0): (number | null)[] {
  const byDay = new Map(snapshots.map((snapshot) => [snapshot.day, snapshot.subscribers]));
  return days.map((day) => byDay.get(addDays(day, -shift)) ?? null);
}

/** The counts of the preceding period of the same length; null with fewer than two counts. */
export function getCountsBefore(days: readonly Day[], snapshots: readonly HistorySnapshot[]): (number | null)[] | null {
  const counts = getCounts(days, snapshots, days.length);
  return counts.filter((count) => count !== null).length < 2 ? null : counts;
}

/**
 * Lines in percent since the first day on which each of them has a count above zero.
 * @returns the index of that day, null where there is none; percents are null before it and without a count
 */
export function compare(lines: readonly Values[]): { base: number | null; percents: (number | null)[][] } {
  const base = (lines[0] ?? []).findIndex((_, index) => lines.every((line) => (line[index] ?? 0) > 0));
  const percents = lines.map((line) => {
    const start = line[base];
    return line.map((count, index) => (start && count !== null && index >= base ? (count / start - 1) * 100 : null));
  });
  return { base: base < 0 ? null : base, percents };
}

/** Days that a chart looks ahead. */
export const FORECAST_DAYS = 7;
const HORIZON = 7;

interface Forecast {
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

/** All counts of a forecast, which its axis has to hold. */
function listCounts(forecast: Forecast | null): number[] {
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
