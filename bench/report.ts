import { writeFileSync } from "node:fs";
import { formatTable } from "@/cli/table";

/** What one part of the benchmark found. */
export interface Report {
  title: string;
  head: string[];
  rows: (string | number)[][];
  /** What is promised, what was seen, and whether it holds. */
  goals: Goal[];
}

export interface Goal {
  goal: string;
  seen: string;
  figure: number;
  /** From 0 up; the goal is met from 1 on. Drawn in the picture. */
  reached: number;
}

/** A goal that some figure be at least, or at most, a bound. */
export function goal(
  text: string,
  figure: number,
  bound: { atLeast: number } | { atMost: number },
  unit = "",
): Goal {
  const reached = "atLeast" in bound ? figure / bound.atLeast : bound.atMost / figure;
  return { goal: text, seen: `${round(figure)}${unit}`, figure, reached };
}

export function printReport({ title, head, rows, goals }: Report): void {
  const judged = goals.map(({ goal, seen, reached }) => [goal, seen, reached >= 1 ? "met" : "NOT MET"]);
  process.stdout.write(
    `\n${title}\n${formatTable(head, rows)}\n${formatTable(["goal", "seen", ""], judged)}\n`,
  );
}

const BAR = { left: 560, full: 240, height: 22 };

/** The goals as bars: the line is the goal, longer is better. */
export function drawGoals(file: string, reports: readonly Report[]): void {
  const goals = reports.flatMap(({ goals }) => goals);
  const bars = goals.map(({ goal, seen, reached }, row) => {
    const y = 10 + row * BAR.height;
    const width = Math.round(BAR.full * Math.min(Math.max(reached, 0), 2)) / 2;
    const color = reached >= 1 ? "#0f766e" : "#b91c1c";
    return `<text x="${BAR.left - 8}" y="${y + 13}" text-anchor="end">${escapeXml(goal)}</text>
<rect x="${BAR.left}" y="${y}" width="${width}" height="16" fill="${color}"/>
<text x="${BAR.left + BAR.full + 8}" y="${y + 13}">${escapeXml(seen)}</text>`;
  });
  const height = 20 + goals.length * BAR.height;
  const line = BAR.left + BAR.full / 2;
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" width="920" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${bars.join("\n")}
<line x1="${line}" x2="${line}" y1="4" y2="${height - 6}" stroke="#111" stroke-dasharray="3 3"/>
</svg>\n`,
  );
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** Lowest to highest, for a column of its own. */
export function spread(values: readonly number[]): string {
  return `${round(Math.min(...values))}–${round(Math.max(...values))}`;
}

/** Three significant figures, no more than anybody should read into them. */
export function round(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return Number(value.toPrecision(value >= 1000 ? 4 : 3)).toLocaleString("en", { maximumFractionDigits: 4 });
}
