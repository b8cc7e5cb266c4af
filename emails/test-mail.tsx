import { toSingleLine } from "./format";
import { renderNotice } from "./notice";

export interface TestMailProps {
  keyLabel: string;
  unsubscribeUrl: string;
  consoleUrl: string;
}

/** Renders the mail that shows a key's owner that alerts arrive: subject, html and text. */
export function renderTestMail({ keyLabel, unsubscribeUrl, consoleUrl }: TestMailProps) {
  const detail = "This is a test. You get an alert when a tracked creator grows more than 10% in a day.";
  return renderNotice({
    subject: "Test email: your growth alerts arrive here",
    preview: detail,
    strip: { symbol: "✓", word: "TEST", note: "Growth alerts" },
    lead: "Your growth alerts arrive here.",
    paragraphs: [detail],
    reason: `You get this because someone signed in with the API key “${toSingleLine(keyLabel)}” and sent a test email. Its alerts go to this address.`,
    unsubscribeUrl,
    consoleUrl,
  });
}
