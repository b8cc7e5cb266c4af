import progress, { SingleBar } from "cli-progress";
import Table from "cli-table3";

/** No colors and no lines between rows, so that pipes and terminals show the same. */
const STYLE = {
  style: { head: [], border: [], compact: true },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
};

type Cell = string | number;

/** A progress bar that leaves nothing behind and stays silent in a pipe. @param unit of the total, such as "days" */
export function startBar(total: number, unit: string): SingleBar {
  const format = `{bar} {percentage}% | {value} of {total} ${unit} | {eta_formatted} left`;
  const bar = new SingleBar({ format, formatTime, clearOnComplete: true, noTTYOutput: false });
  bar.start(total, 0);
  return bar;
}

/** The library gives words where it cannot tell the time left yet. */
const formatTime: progress.TimeFormatter = (left, options, step) =>
  typeof left === "number" ? progress.Format.TimeFormat(left, options, step) : "?";

/** Columns of the terminal; without one, lines may be of any length. */
const getWidth = () => (process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY);
/** In a narrower terminal, each row is a record of lines. */
const MIN_WIDTH = 80;

/** A table with one row per record, no wider than the terminal; "none" without rows. */
export function formatTable(head: string[], rows: readonly (readonly Cell[])[], width = getWidth()): string {
  if (rows.length === 0) return "none";
  const line = head.map((title) => title.replaceAll(/\S/g, "─"));
  const drawn = drawTable([line, ...rows], width, head);
  return drawn ?? rows.map((row) => formatLines(head.map((name, at) => [name, row[at] ?? ""]))).join("\n\n");
}

/** A table of names and values; lines where the terminal is too narrow for it. */
export function formatFacts(values: Record<string, Cell>, width = getWidth()): string {
  const rows = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return drawTable(rows, width) ?? formatLines(rows);
}

/** Null where the terminal is too narrow. */
function drawTable(rows: readonly (readonly Cell[])[], width: number, head?: string[]): string | null {
  const colWidths = fitColumns(head ? [head, ...rows] : rows, width);
  if (!colWidths) return null;
  const table = new Table({ ...STYLE, head: head ?? [], colWidths, wordWrap: true });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

/** Widths of the columns, the widest cut until all fit; null where a word, such as an id, would be cut. */
function fitColumns(rows: readonly (readonly Cell[])[], width: number): number[] | null {
  const columns = (rows[0] ?? []).map((_, at) => rows.map((row) => String(row[at] ?? "")));
  const measure = (texts: string[]) => Math.max(...texts.map(({ length }) => length)) + 2;
  const widths = columns.map(measure);
  const sum = () => widths.reduce((total, one) => total + one, columns.length + 1);
  // The library measures better: characters of two columns, for example.
  if (sum() <= width) return [];
  if (width < MIN_WIDTH) return null;
  for (let over = sum() - width; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const words = columns.map((texts) => measure(texts.flatMap((text) => text.split(/\s+/))));
  return widths.every((one, at) => one >= (words[at] ?? 0)) ? widths : null;
}

/** Lines of names and values, without empty ones. */
function formatLines(facts: readonly (readonly Cell[])[]): string {
  return facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** An instant to the minute, in UTC. */
export function formatMinute(at: Date): string {
  return at.toISOString().slice(0, 16).replace("T", " ");
}
