import { toSingleLine } from "./format";
import { renderNotice } from "./notice";

export interface ConfirmAddressProps {
  /** The recipient. */
  address: string;
  keyLabel: string;
  confirmUrl: string;
  consoleUrl: string;
}

/** Renders the mail that asks an address that unsubscribed, bounced or complained to confirm: subject, html and text. */
export function renderConfirmAddress({ keyLabel, confirmUrl, consoleUrl, ...props }: ConfirmAddressProps) {
  const address = toSingleLine(props.address);
  const setAgain = " was set again as the alert address of an API key.";
  const detail = "Alerts start once you confirm. If you do not want them, ignore this email.";
  return renderNotice({
    subject: "Confirm your growth alerts",
    preview: detail,
    strip: { symbol: "✓", word: "CONFIRM", note: "Growth alerts" },
    lead: `${address}${setAgain}`,
    richLead: (
      <>
        {address}
        <span className="font-normal">{setAgain}</span>
      </>
    ),
    paragraphs: [detail],
    button: { text: "Receive growth alerts", url: confirmUrl },
    reason: `You get this because the API key “${toSingleLine(keyLabel)}” sends its alerts to this address.`,
    consoleUrl,
  });
}
