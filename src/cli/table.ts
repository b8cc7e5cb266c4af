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

/** A table with one row per record; "none" without rows. */
export function formatTable(head: string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return "none";
  const drawn = new Table({ ...STYLE, head });
  drawn.push(
    head.map((title) => "─".repeat(title.length)),
    ...rows.map((row) => [...row]),
  );
  return drawn.toString();
}

/** A table of names and values. */
export function formatFacts(values: Record<string, Cell>): string {
  const drawn = new Table(STYLE);
  drawn.push(...Object.entries(values).map(([name, value]) => [name, String(value)]));
  return drawn.toString();
}

/** An instant to the minute, in UTC. */
export function formatMinute(at: Date): string {
  return at.toISOString().slice(0, 16).replace("T", " ");
}
