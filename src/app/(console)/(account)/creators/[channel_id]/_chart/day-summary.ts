import { addDays, type Day, startOfDay } from "@/core/time";
import { formatCount, formatDay, formatGrowth } from "@/ui/format";
import type { ChartLine, ChartModel } from "./chart-model";
import { factsOf } from "./day-facts";
import type { AlertMark, DayNote } from "./notes";

export interface SummaryRow {
  look: ChartLine["look"];
  name: string | null;
  value: string;
  detail: string | null;
  direction: "up" | "down" | "unsure" | null;
}

/** All that a chart knows of one day. */
export interface DaySummary {
  day: string;
  rows: SummaryRow[];
  notes: string[];
}

/** The summary of a day, for the box at the pointer and for screen readers. */
export function summaryOf(
  model: ChartModel,
  place: number,
  alerts: readonly AlertMark[],
  notes: readonly DayNote[],
): DaySummary {
  const day = model.days[place]?.day ?? "";
  return {
    day: shortDay(day),
    rows:
      model.since === null
        ? countRows(model, place)
        : model.lines.map((line) => percentRow(line, place, model)),
    notes: [
      ...alerts.filter((alert) => alert.place === place).map(({ label }) => label),
      ...notes.filter(({ from, to }) => from <= place && place <= to).map(({ text }) => text),
    ],
  };
}

/** The summary as sentences. */
export function summaryText({ day, rows, notes }: DaySummary): string {
  const texts = rows.map(({ name, value, detail }) =>
    [name ? `${name} ${value}` : value, detail].filter(Boolean).join(", "),
  );
  return `${day}: ${[...texts, ...notes].join("; ")}`;
}

function countRows({ measure, days, lines }: ChartModel, place: number): SummaryRow[] {
  const basics = { look: 0, name: null, direction: null } as const;
  const facts = factsOf(lines[0]?.counts ?? [], place, measure);
  if (!facts) {
    const value = days[place]?.reading ? "Hidden by the channel" : "No snapshot on this day";
    return [{ ...basics, value, detail: null }];
  }
  const { count, range, change } = facts;
  const rows: SummaryRow[] = [
    { ...basics, value: `${count} ${measure}`, detail: range && `true count ${range}` },
  ];
  if (change)
    rows.push({
      ...basics,
      value: `${change.text} since the day before`,
      detail: change.range && `true growth ${change.range}`,
      direction: change.direction,
    });
  return rows;
}

function percentRow(
  { name, look, counts, values }: ChartLine,
  place: number,
  { days }: ChartModel,
): SummaryRow {
  const [count, percent] = [counts[place] ?? null, values[place] ?? null];
  const dated = look === "before" ? ` on ${shortDay(addDays(days[place]?.day ?? "", -days.length))}` : "";
  return {
    look,
    name,
    value: percent === null ? "–" : formatGrowth(percent),
    detail: count === null ? "no snapshot" : `${formatCount(count)}${dated}`,
    direction: null,
  };
}

function shortDay(day: Day): string {
  return formatDay(startOfDay(day));
}
