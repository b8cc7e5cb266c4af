import { formatUtc } from "@/core/format";
import { formatPlan, toSingleLine } from "./format";
import { renderNotice } from "./notice";

export interface KeyLinkProps {
  label: string;
  tier: string;
  keyUrl: string;
  /** ISO instant. */
  expiresAt: string;
  consoleUrl: string;
}

/** Renders the mail with the link that shows a new key once: subject, html and text. */
export function renderKeyLink({ label, tier, keyUrl, expiresAt, consoleUrl }: KeyLinkProps) {
  const lead = `The key you asked for (${formatPlan(tier)} plan) is ready.`;
  return renderNotice({
    subject: "Your API key is ready",
    preview: lead,
    strip: { symbol: "✓", word: "KEY ISSUED", note: "API key" },
    lead,
    paragraphs: [
      `Open the page and press “Show my key”. The key is shown once, so keep it in a safe place. The link works until ${formatUtc(expiresAt)}.`,
    ],
    button: { text: "Get my key", url: keyUrl },
    reason: `You get this because “${toSingleLine(label)}” asked for an API key with this address. If that was not you, ignore this email.`,
    consoleUrl,
  });
}
