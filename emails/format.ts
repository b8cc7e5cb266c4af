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

/** A creator's name on one line. */
export function formatName(name: string): string {
  return toSingleLine(name) || "Unnamed creator";
}

/** A percentage with its sign: "8.9" → "+8.9%", "-0.4" → "-0.4%". */
export function formatSignedPercent(percent: string): string {
  return `${percent.startsWith("-") ? "" : "+"}${percent}%`;
}

/** The name of a plan in a text: "starter" → "Starter". */
export function formatPlan(tier: string): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1);
}
