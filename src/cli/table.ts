import Table from "cli-table3";

/** Plain in pipes and terminals alike: no colors, no lines between rows. */
const LOOK = {
  style: { head: [], border: [], compact: true },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
};

/** A table with one row per record. */
export function table(head: string[], rows: (string | number)[][]): string {
  const drawn = new Table({ ...LOOK, head });
  drawn.push(head.map((title) => "─".repeat(title.length)));
  drawn.push(...rows);
  return drawn.toString();
}

/** A table of names and values. */
export function facts(values: Record<string, string | number>): string {
  const drawn = new Table(LOOK);
  for (const [name, value] of Object.entries(values)) drawn.push([name, String(value)]);
  return drawn.toString();
}
