import type { ReactNode } from "react";
import { Heading, render, Text } from "react-email";
import { formatUtc } from "@/core/format";
import { formatPlan, toSingleLine } from "./format";
import { type FooterProps, Layout, MailButton, type RenderedMail, renderTextPart, type Strip, styles } from "./layout";

/** A short mail: one statement, what it means, and at most one button. */
export interface Notice extends FooterProps {
  subject: string;
  /** Shown beside the subject in an inbox. */
  preview: string;
  strip: Strip;
  lead: string;
  /** The lead of the html part, where it differs. */
  richLead?: ReactNode;
  paragraphs: readonly string[];
  /** The html part in place of paragraphs and button. */
  body?: ReactNode;
  button?: { text: string; url: string };
}

/** Renders a short mail: subject, html and text. */
export async function renderNotice(notice: Notice): Promise<RenderedMail> {
  const { subject, preview, strip, lead, richLead, paragraphs, body, button, ...footer } = notice;
  const html = await render(
    <Layout title={subject} preview={preview} strip={strip} {...footer}>
      <Heading className={`${styles.text} text-[18px] leading-[26px] font-semibold ${styles.wrap}`}>
        {richLead ?? lead}
      </Heading>
      {body ??
        paragraphs.map((paragraph) => (
          <Text key={paragraph} className={styles.paragraph}>
            {paragraph}
          </Text>
        ))}
      {button && <MailButton href={button.url}>{button.text}</MailButton>}
    </Layout>,
  );
  const link = button ? [`${button.text}: ${button.url}`] : [];
  return { subject, html, text: renderTextPart([lead, ...paragraphs, ...link], footer) };
}

export interface ConfirmAddressProps {
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

export interface KeyLinkProps {
  label: string;
  tier: string;
  keyUrl: string;
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

export interface KeyRequestProps {
  id: string;
  name: string;
  email: string;
  tier: string;
  purpose: string;
  consoleUrl: string;
}

/** Renders the mail that notifies the operator of a key request: subject, html and text. */
export function renderKeyRequest({ id, tier, purpose, consoleUrl, ...person }: KeyRequestProps) {
  const [name, address] = [toSingleLine(person.name), toSingleLine(person.email)];
  const lead = `${name} asks for a key (${formatPlan(tier)} plan).`;
  const answer = "They expect an answer within 24 hours. To issue the key, run:";
  const command = `npm run keys -- issue --request ${id}`;
  return renderNotice({
    subject: `Key requested: ${name}`,
    preview: lead,
    strip: { symbol: "●", word: "KEY REQUEST", note: id },
    lead,
    paragraphs: [`Reply to: ${address}`, purpose, `${answer}\n${command}`],
    body: (
      <>
        <Text className={styles.paragraph}>{address}</Text>
        <Text className={`${styles.paragraph} whitespace-pre-wrap`}>{purpose}</Text>
        <Text className={`${styles.small} mt-5`}>{answer}</Text>
        <Text className={`${styles.text} mt-1 font-mono text-[14px] leading-[22px] ${styles.wrap}`}>{command}</Text>
        <MailButton href={`mailto:${encodeURIComponent(address).replaceAll("%40", "@")}`}>Reply by email</MailButton>
      </>
    ),
    reason: "You get this because OPERATOR_CONTACT of this service is your address.",
    consoleUrl,
  });
}

/** Renders the mail that shows a key's owner that alerts arrive: subject, html and text. */
export function renderTestMail({ unsubscribeUrl, consoleUrl }: { unsubscribeUrl: string; consoleUrl: string }) {
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
