import { formatCount, formatDay, formatGrowth } from "@/core/format";
import { addDays } from "@/core/time";
import { computeGrowthBounds, computeGrowthPercent, computeRoundingError } from "@/features/growth/rules";
import { type Direction, getDirection } from "../../../../_ui/numbers";
import type { ChartLine, ChartModel } from "./chart-model";
import type { Values } from "./frame";
import { toUploadNotes } from "./notes";

interface SummaryRow {
  look: ChartLine["look"];
  name?: string;
  value: string;
  detail?: string | null;
  direction?: Direction;
}

export type DaySummary = ReturnType<typeof buildSummary>;

/** All that a chart knows of one day, for the box at the pointer and for screen readers. */
export function buildSummary(model: ChartModel, index: number) {
  const notes = [...model.notes, ...toUploadNotes(model.uploads)];
  return {
    day: formatDay(model.days[index]?.day ?? ""),
    rows: buildRows(model, index),
    notes: [
      ...model.alerts.filter((alert) => alert.index === index).map(({ label }) => label),
      ...notes.filter(({ from, to }) => from <= index && index <= to).map(({ text }) => text),
    ],
  };
}

export function formatSummary({ day, rows, notes }: DaySummary): string {
  const texts = rows.map(({ name, value, detail }) =>
    [name ? `${name} ${value}` : value, detail].filter(Boolean).join(", "),
  );
  return `${day}: ${[...texts, ...notes].join("; ")}`;
}

function buildRows({ days, lines, since }: ChartModel, index: number): SummaryRow[] {
  if (since !== null) return lines.map((line) => buildPercentRow(line, index, days));
  const rows = buildCountRows(lines[0]?.counts ?? [], index);
  if (rows.length > 0) return rows;
  return [{ look: 0, value: days[index]?.snapshot ? "Hidden by the channel" : "No snapshot on this day" }];
}

/** The count of a day with the range of the true one, and its change to the day before; nothing without a count. */
export function buildCountRows(counts: Values, index: number): SummaryRow[] {
  const [before, count] = [counts[index - 1] ?? null, counts[index] ?? null];
  if (count === null) return [];
  const hidden = computeRoundingError(count);
  const detail = hidden > 0 ? `true count ${formatCount(count)} to ${formatCount(count + hidden)}` : null;
  const row = { look: 0, value: `${formatCount(count)} subscribers`, detail } as const;
  return before === null ? [row] : [row, buildChangeRow(before, count)];
}

function buildChangeRow(before: number, after: number): SummaryRow {
  const gained = after - before;
  const percent = computeGrowthPercent(before, after);
  const sign = gained > 0 ? "+" : gained < 0 ? "−" : "";
  const change = `${sign}${formatCount(Math.abs(gained))}${percent === null ? "" : ` (${formatGrowth(percent)})`}`;
  const range = before > 0 ? computeGrowthBounds(before, after) : { low: gained, high: gained };
  const { low, high } = range;
  return {
    look: 0,
    value: `${change} since the day before`,
    detail: low === high ? null : `true growth ${formatGrowth(low)} to ${formatGrowth(high)}`,
    direction: getDirection(range),
  };
}

function buildPercentRow(line: ChartLine, index: number, days: ChartModel["days"]): SummaryRow {
  const [count, percent] = [line.counts[index] ?? null, line.values[index] ?? null];
  const dayBefore = line.look === "before" && formatDay(addDays(days[index]?.day ?? "", -days.length));
  return {
    look: line.look,
    name: line.name,
    value: percent === null ? "–" : formatGrowth(percent),
    detail: count === null ? "no snapshot" : `${formatCount(count)}${dayBefore ? ` on ${dayBefore}` : ""}`,
  };
}
