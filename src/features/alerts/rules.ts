import type { SEVERITIES } from "@/core/db/schema";
import { growthPercent, hiddenByRounding } from "@/features/growth/rules";

export type Severity = (typeof SEVERITIES)[number];

interface SeverityLevel {
  severity: Severity;
  /** Growth in percent from which the level applies. */
  from: number;
  color: string;
  meaning: string;
}

const WATCH: SeverityLevel = {
  severity: "WATCH",
  from: 10,
  color: "#22d3ee",
  meaning: "Notable growth, early signal",
};

/** The email severity scale, strongest first. */
export const SEVERITY_SCALE: readonly SeverityLevel[] = [
  { severity: "EXPLOSIVE", from: 50, color: "#ff3366", meaning: "Massive spike" },
  { severity: "SURGING", from: 25, color: "#ff6b35", meaning: "Very fast growth" },
  { severity: "RISING FAST", from: 15, color: "#a855f7", meaning: "Strong growth" },
  WATCH,
];

/** Whether the counts of two consecutive days make an alert: growth strictly above 10 %, never from zero. */
export function isHighGrowth(before: number, after: number): boolean {
  return before > 0 && BigInt(after) * 10n > BigInt(before) * 11n;
}

/** The severity of a growth that makes an alert. Bounds belong to the stronger level, compared in whole numbers. */
export function severityOf(before: number, after: number): SeverityLevel {
  const gained = 100n * (BigInt(after) - BigInt(before));
  return SEVERITY_SCALE.find(({ from }) => gained >= BigInt(before) * BigInt(from)) ?? WATCH;
}

/** Whether the growth was above 10 % whatever the platform's rounding hides. */
export function isCertain(before: number, after: number): boolean {
  return isHighGrowth(before + hiddenByRounding(before), after);
}

/** The sentence every alert carries: `Some Maker grew 12.5% in one day (1,000 → 1,125)`. */
export function alertMessage(name: string, before: number, after: number): string {
  const percent = (growthPercent(before, after) ?? 0).toFixed(1);
  return `${name} grew ${percent}% in one day (${grouped(before)} → ${grouped(after)})`;
}

const counts = new Intl.NumberFormat("en-US");

function grouped(count: number): string {
  return counts.format(count);
}
