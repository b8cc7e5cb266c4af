import { Button, Heading, render, Section, Text } from "react-email";
import { formatInstant, toSingleLine } from "./format";
import { Layout, type RenderedMail, renderTextPart, styles } from "./layout";

export interface KeyLinkProps {
  label: string;
  tier: string;
  keyUrl: string;
  /** ISO instant. */
  expiresAt: string;
  consoleUrl: string;
}

const SUBJECT = "Your API key is ready";

function buildTexts(props: KeyLinkProps) {
  return {
    lead: `The key you asked for (${props.tier} plan) is ready.`,
    detail: `Open the page and press “Show my key”. The key is shown once, so keep it in a safe place. The link works until ${formatInstant(props.expiresAt)}.`,
    footer: {
      reason: `You get this because “${toSingleLine(props.label)}” asked for an API key with this address. If that was not you, ignore this email.`,
      consoleUrl: props.consoleUrl,
    },
  };
}

/** The link that shows a new key once. */
export function KeyLink(props: KeyLinkProps) {
  const { lead, detail, footer } = buildTexts(props);
  return (
    <Layout
      title={SUBJECT}
      preview={lead}
      accent={{ background: "#3f3f46", ink: "#ffffff" }}
      strip={
        <>
          <span aria-hidden="true">✓</span> <strong className="tracking-[0.06em]">KEY ISSUED</strong>
          <span>{" \u00a0API key"}</span>
        </>
      }
      {...footer}
    >
      <Heading className={`${styles.text} text-[18px] leading-[26px] font-semibold ${styles.wrap}`}>
        {lead}
      </Heading>
      <Text className={`${styles.text} mt-3 text-[15px] leading-[24px]`}>{detail}</Text>
      <Section className="mt-7">
        <Button href={props.keyUrl} className={styles.button}>
          Get my key
        </Button>
      </Section>
    </Layout>
  );
}

KeyLink.PreviewProps = {
  label: "Maya Okafor",
  tier: "starter",
  keyUrl: "https://growth.example.com/key/preview",
  expiresAt: "2026-11-28T22:40:00.000Z",
  consoleUrl: "https://growth.example.com/overview",
} satisfies KeyLinkProps;

/** Renders the mail with the link to a new key: subject, html and text. */
export async function renderKeyLink(props: KeyLinkProps): Promise<RenderedMail> {
  const { lead, detail, footer } = buildTexts(props);
  const text = renderTextPart([lead, detail, `Get my key: ${props.keyUrl}`], footer);
  return { subject: SUBJECT, html: await render(<KeyLink {...props} />), text };
}
