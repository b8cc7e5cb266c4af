import { renderNotice } from "./notice";

export interface TestMailProps {
  unsubscribeUrl: string;
  consoleUrl: string;
}

/** Renders the mail that shows a key's owner that alerts arrive: subject, html and text. */
export function renderTestMail({ unsubscribeUrl, consoleUrl }: TestMailProps) {
  const detail = "This is a test. You get an alert when a tracked creator grows more than 10% in a day.";
  return renderNotice({
    subject: "Test email: your growth alerts arrive here",
    preview: detail,
    strip: { symbol: "✓", word: "TEST", note: "Growth alerts" },
    lead: "Your growth alerts arrive here.",
    paragraphs: [detail],
    reason: "You get this because the holder of an API key set this address for alerts and sent a test email.",
    unsubscribeUrl,
    consoleUrl,
  });
}
