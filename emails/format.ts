const grouped = new Intl.NumberFormat("en-US");
const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

const DAY_MS = 86_400_000;
const DARK_INK = "#09090b";
const LIGHT_INK = "#ffffff";

/**
 * Text for one line and for a mail header: without control characters, line separators, lone surrogates and marks that
 * change the writing direction, with single spaces.
 */
export function toSingleLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** A count with comma groups: 1125 → "1,125". */
export function formatCount(value: number): string {
  return grouped.format(value);
}

/** A percentage with its sign: "8.9" → "+8.9%", "-0.4" → "-0.4%". */
export function formatSignedPercent(percent: string): string {
  return `${percent.startsWith("-") ? "" : "+"}${percent}%`;
}

/** A UTC day `YYYY-MM-DD`, moved by whole days: "Oct 21, 2026". */
export function formatDay(day: string, move = 0): string {
  return dayFormat.format(new Date(Date.parse(`${day}T00:00:00Z`) + move * DAY_MS));
}

/** An ISO instant: "Oct 21, 2026, 06:02 UTC". */
export function formatInstant(iso: string): string {
  const at = new Date(iso);
  return `${dayFormat.format(at)}, ${clock.format(at)} UTC`;
}

function computeChannel(hex: string, at: number): number {
  const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function computeLuminance(hex: string): number {
  return 0.2126 * computeChannel(hex, 1) + 0.7152 * computeChannel(hex, 3) + 0.0722 * computeChannel(hex, 5);
}

/** Contrast of two `#rrggbb` colors, 1 to 21 (WCAG 2.2). */
export function computeContrast(one: string, other: string): number {
  const [low = 0, high = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The text color, dark or white, with more contrast on a `#rrggbb` background. */
export function pickInk(background: string): string {
  return computeContrast(LIGHT_INK, background) > computeContrast(DARK_INK, background)
    ? LIGHT_INK
    : DARK_INK;
}
