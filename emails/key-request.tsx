import { Button, Heading, render, Section, Text } from "react-email";
import { toSingleLine } from "./format";
import { Layout, type RenderedMail, renderTextPart, styles } from "./layout";

export interface KeyRequestProps {
  id: string;
  name: string;
  email: string;
  tier: string;
  purpose: string;
  consoleUrl: string;
}

function buildTexts(props: KeyRequestProps) {
  const name = toSingleLine(props.name);
  return {
    subject: `Key requested: ${name}`,
    lead: `${name} asks for a key (${props.tier} plan).`,
    answer: "They expect an answer within 24 hours.",
    command: `npm run keys -- issue --request ${props.id}`,
    address: toSingleLine(props.email),
    reply: `mailto:${encodeURIComponent(toSingleLine(props.email)).replaceAll("%40", "@")}`,
    footer: {
      reason: "You get this because OPERATOR_CONTACT of this service is your address.",
      consoleUrl: props.consoleUrl,
    },
  };
}

/** Notifies the operator of a key request. */
export function KeyRequest(props: KeyRequestProps) {
  const { subject, lead, answer, command, address, reply, footer } = buildTexts(props);
  return (
    <Layout
      title={subject}
      preview={lead}
      accent={{ background: "#3f3f46", ink: "#ffffff" }}
      strip={
        <>
          <span aria-hidden="true">●</span> <strong className="tracking-[0.06em]">KEY REQUEST</strong>
          <span>{` \u00a0${props.id}`}</span>
        </>
      }
      {...footer}
    >
      <Heading className={`${styles.text} text-[18px] leading-[26px] font-semibold ${styles.wrap}`}>
        {lead}
      </Heading>
      <Text className={`${styles.text} mt-3 text-[15px] leading-[24px] ${styles.wrap}`}>{address}</Text>
      <Text className={`${styles.text} mt-3 text-[15px] leading-[24px] whitespace-pre-wrap ${styles.wrap}`}>
        {props.purpose}
      </Text>
      <Text className={`${styles.small} mt-5`}>{answer} To issue the key, run:</Text>
      <Text className={`${styles.text} mt-1 font-mono text-[14px] leading-[22px] ${styles.wrap}`}>
        {command}
      </Text>
      <Section className="mt-7">
        <Button href={reply} className={styles.button}>
          Reply by email
        </Button>
      </Section>
    </Layout>
  );
}

KeyRequest.PreviewProps = {
  id: "req_5f2c81d09a3e",
  name: "Maya Okafor",
  email: "maya@agency.example",
  tier: "starter",
  purpose: "Scouting small cooking channels for a talent agency, about 200 creators.",
  consoleUrl: "https://growth.example.com/overview",
} satisfies KeyRequestProps;

/** Renders the mail about a request for a key: subject, html and text. */
export async function renderKeyRequest(props: KeyRequestProps): Promise<RenderedMail> {
  const { subject, lead, answer, command, address, footer } = buildTexts(props);
  const paragraphs = [
    lead,
    `Reply to: ${address}`,
    props.purpose,
    `${answer} To issue the key, run:\n${command}`,
  ];
  return { subject, html: await render(<KeyRequest {...props} />), text: renderTextPart(paragraphs, footer) };
}
