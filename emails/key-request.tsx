import { Text } from "react-email";
import { formatPlan, toSingleLine } from "./format";
import { MailButton, styles } from "./layout";
import { renderNotice } from "./notice";

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
