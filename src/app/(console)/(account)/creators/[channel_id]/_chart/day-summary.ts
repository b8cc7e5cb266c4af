import { formatCount, formatDay, formatGrowth } from "@/core/format";
import { addDays } from "@/core/time";
import type { ChartLine, ChartModel } from "./chart-model";
import { getDayFacts } from "./day-facts";
import type { AlertMark, DayNote } from "./notes";

interface SummaryRow {
  look: ChartLine["look"];
  name?: string;
  value: string;
  detail?: string | null;
  direction?: "up" | "down" | "unsure";
}

/** All that a chart knows of one day. */
export interface DaySummary {
  day: string;
  rows: SummaryRow[];
  notes: string[];
}

/** The summary of a day, for the box at the pointer and for screen readers. */
export function buildSummary(
  model: ChartModel,
  index: number,
  alerts: readonly AlertMark[],
  notes: readonly DayNote[],
): DaySummary {
  const day = model.days[index]?.day ?? "";
  return {
    day: formatDay(day),
    rows:
      model.since === null
        ? buildCountRows(model, index)
        : model.lines.map((line) => buildPercentRow(line, index, model)),
    notes: [
      ...alerts.filter((alert) => alert.index === index).map(({ label }) => label),
      ...notes.filter(({ from, to }) => from <= index && index <= to).map(({ text }) => text),
    ],
  };
}

/** The summary as sentences. */
export function formatSummary({ day, rows, notes }: DaySummary): string {
  const texts = rows.map(({ name, value, detail }) =>
    [name ? `${name} ${value}` : value, detail].filter(Boolean).join(", "),
  );
  return `${day}: ${[...texts, ...notes].join("; ")}`;
}

function buildCountRows({ days, lines }: ChartModel, index: number): SummaryRow[] {
  const facts = getDayFacts(lines[0]?.counts ?? [], index);
  if (!facts) return [{ look: 0, value: days[index]?.snapshot ? "Hidden by the channel" : "No snapshot on this day" }];
  const { count, range, change } = facts;
  const row: SummaryRow = { look: 0, value: `${count} subscribers`, detail: range && `true count ${range}` };
  if (!change) return [row];
  const value = `${change.text} since the day before`;
  const detail = change.range && `true growth ${change.range}`;
  return [row, { look: 0, value, detail, direction: change.direction }];
}

function buildPercentRow({ name, look, counts, values }: ChartLine, index: number, { days }: ChartModel): SummaryRow {
  const [count, percent] = [counts[index] ?? null, values[index] ?? null];
  const dated = look === "before" ? ` on ${formatDay(addDays(days[index]?.day ?? "", -days.length))}` : "";
  return {
    look,
    name,
    value: percent === null ? "–" : formatGrowth(percent),
    detail: count === null ? "no snapshot" : `${formatCount(count)}${dated}`,
  };
}
