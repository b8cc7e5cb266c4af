import { Button, Heading, render, Section, Text } from "react-email";
import { oneLine } from "./format";
import { Layout, type RenderedMail, styles, textPart } from "./layout";

/** What a test mail says. */
export interface TestMailProps {
  keyLabel: string;
  unsubscribeUrl: string;
  consoleUrl: string;
  /** The address the mail goes to. */
  address: string;
}

const SUBJECT = "Test: this address will receive growth alerts";

function wording(props: TestMailProps) {
  return {
    address: oneLine(props.address),
    promise: " will receive growth alerts",
    detail:
      "A mail comes at once when a creator you track grows by more than 10% in one day. Nothing to do: this was only a test.",
    footer: {
      reason: `You get this because the API key “${oneLine(props.keyLabel)}” has this address as its alert address and a test mail was asked for.`,
      unsubscribeUrl: props.unsubscribeUrl,
      consoleUrl: props.consoleUrl,
    },
  };
}

/** The mail that proves an alert address works. */
export function TestMail(props: TestMailProps) {
  const { address, promise, detail, footer } = wording(props);
  return (
    <Layout
      title={SUBJECT}
      preview={detail}
      accent={{ background: "#3f3f46", ink: "#ffffff" }}
      strip={
        <>
          <span aria-hidden="true">✓</span> <strong className="tracking-[0.06em]">TEST</strong>
          <span>{" \u00a0Growth alerts arrive here"}</span>
        </>
      }
      {...footer}
    >
      <Heading className={`${styles.text} text-[18px] leading-[26px] font-normal ${styles.wrap}`}>
        <strong>{address}</strong>
        {promise}
      </Heading>
      <Text className={`${styles.text} mt-3 text-[15px] leading-[24px]`}>{detail}</Text>
      <Section className="mt-7">
        <Button href={props.consoleUrl} className={styles.button}>
          Open account console
        </Button>
      </Section>
    </Layout>
  );
}

TestMail.PreviewProps = {
  keyLabel: "Scouting",
  unsubscribeUrl: "https://growth.example.com/unsubscribe?token=preview",
  consoleUrl: "https://growth.example.com/console",
  address: "scout@agency.example",
} satisfies TestMailProps;

/** The finished test mail: subject, html and text. */
export async function renderTestMail(props: TestMailProps): Promise<RenderedMail> {
  const { address, promise, detail, footer } = wording(props);
  const text = textPart([`${address}${promise}`, detail], footer);
  return { subject: SUBJECT, html: await render(<TestMail {...props} />), text };
}
