import { formatGrowth, formatShortCount } from "@/core/format";
import type { Day } from "@/core/time";
import type { ComparedCreator } from "@/features/creators/history.service";
import type { Creator, HistorySnapshot } from "@/features/creators/schema";
import type { Range } from "@/features/growth/calibration.rules";
import { computeRoundingError } from "@/features/growth/rules";
import { type Axis, type AxisScale, createAxis, createPercentAxis } from "../../../../_ui/axis";
import { getDisplayName } from "../../../../_ui/names";
import { compare, getCounts, getCountsBefore } from "./comparison";
import { buildForecast, type Forecast, listCounts } from "./forecast";
import { type AlertMark, type ChartedAlert, type DayNote, listAlertMarks } from "./notes";
import type { Values } from "./paths";
import type { SnapshotDay } from "./snapshot-days";
import { listUploadMarks, type Upload, type UploadMark } from "./uploads";

/** A line of a chart. */
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
  /** What happened on the days. */
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
