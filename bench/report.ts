import { median as computeMedian } from "d3-array";
import { formatTable } from "@/cli/table";

/** What one part of the benchmark found. */
export interface Report {
  title: string;
  head: string[];
  rows: (string | number)[][];
  goals: Goal[];
}

export interface Goal {
  goal: string;
  value: number;
  unit: string;
  isMet: boolean;
}

/** Checks that a value is at least, or at most, a bound. */
export function checkGoal(goal: string, value: number, bound: { atLeast: number } | { atMost: number }, unit = "") {
  const isMet = "atLeast" in bound ? value >= bound.atLeast : value <= bound.atMost;
  const limit = "atLeast" in bound ? `at least ${round(bound.atLeast)}` : `at most ${round(bound.atMost)}`;
  return { goal: `${goal}, ${limit}${unit}`, value, unit, isMet };
}

export function printReport({ title, head, rows, goals }: Report): void {
  const checked = goals.map(({ goal, value, unit, isMet }) => [
    goal,
    `${round(value)}${unit}`,
    isMet ? "met" : "NOT MET",
  ]);
  process.stdout.write(`\n${title}\n${formatTable(head, rows)}\n${formatTable(["goal", "measured", ""], checked)}\n`);
}

/** The median; NaN without values. */
export function median(values: readonly number[]): number {
  return computeMedian(values) ?? Number.NaN;
}

/** Formats the lowest and the highest value. */
export function formatSpread(values: readonly number[]): string {
  return `${round(Math.min(...values))}–${round(Math.max(...values))}`;
}

/** Three significant digits; measurements are no more exact than that. */
export function round(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return Number(value.toPrecision(value >= 1000 ? 4 : 3)).toLocaleString("en", { maximumFractionDigits: 4 });
}
