import Table from "cli-table3";

/** No colors and no lines between rows, so that pipes and terminals show the same. */
const STYLE = {
  style: { head: [], border: [], compact: true },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
};

/** Options of a progress bar that leaves nothing behind and stays silent in a pipe. */
export const BAR = { clearOnComplete: true, noTTYOutput: false };

/** A table with one row per record. */
export function table(head: string[], rows: (string | number)[][]): string {
  const drawn = new Table({ ...STYLE, head });
  drawn.push(
    head.map((title) => "─".repeat(title.length)),
    ...rows,
  );
  return drawn.toString();
}

/** A table of names and values. */
export function facts(values: Record<string, string | number>): string {
  const drawn = new Table(STYLE);
  drawn.push(...Object.entries(values).map(([name, value]) => [name, String(value)]));
  return drawn.toString();
}
