import Table from "cli-table3";

/** No colors and no lines between rows, so that pipes and terminals show the same. */
const STYLE = {
  style: { head: [], border: [], compact: true },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
};

type Cell = string | number;

/** Options of a progress bar that leaves nothing behind and stays silent in a pipe. */
export const BAR = { clearOnComplete: true, noTTYOutput: false };

/** A table with one row per record; "none" without rows. */
export function table(head: string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return "none";
  const drawn = new Table({ ...STYLE, head });
  drawn.push(
    head.map((title) => "─".repeat(title.length)),
    ...rows.map((row) => [...row]),
  );
  return drawn.toString();
}

/** A table of names and values. */
export function facts(values: Record<string, Cell>): string {
  const drawn = new Table(STYLE);
  drawn.push(...Object.entries(values).map(([name, value]) => [name, String(value)]));
  return drawn.toString();
}

/** An instant to the minute, in UTC. */
export function minute(at: Date): string {
  return at.toISOString().slice(0, 16).replace("T", " ");
}
