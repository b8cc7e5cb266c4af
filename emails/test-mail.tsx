import { Heading, render, Text } from "react-email";
import { toSingleLine } from "./format";
import { Layout, type RenderedMail, renderTextPart, styles } from "./layout";

export interface TestMailProps {
  keyLabel: string;
  unsubscribeUrl: string;
  consoleUrl: string;
}

const SUBJECT = "Test email: your growth alerts arrive here";

function buildTexts({ keyLabel, unsubscribeUrl, consoleUrl }: TestMailProps) {
  const key = toSingleLine(keyLabel);
  return {
    lead: "Your growth alerts arrive here.",
    detail: "This is a test. You get an alert when a tracked creator grows more than 10% in a day.",
    footer: {
      reason: `You get this because someone signed in with the API key “${key}” and sent a test email. Its alerts go to this address.`,
      unsubscribeUrl,
      consoleUrl,
    },
  };
}

/** Shows a key's owner that alerts arrive. */
export function TestMail(props: TestMailProps) {
  const { lead, detail, footer } = buildTexts(props);
  return (
    <Layout
      title={SUBJECT}
      preview={detail}
      accent={{ background: "#3f3f46", ink: "#ffffff" }}
      strip={
        <>
          <span aria-hidden="true">✓</span> <strong className="tracking-[0.06em]">TEST</strong>
          <span>{" \u00a0Growth alerts"}</span>
        </>
      }
      {...footer}
    >
      <Heading className={`${styles.text} text-[18px] leading-[26px]`}>{lead}</Heading>
      <Text className={`${styles.text} mt-3 text-[15px] leading-[24px]`}>{detail}</Text>
    </Layout>
  );
}

TestMail.PreviewProps = {
  keyLabel: "Scouting",
  unsubscribeUrl: "https://growth.example.com/unsubscribe?token=preview",
  consoleUrl: "https://growth.example.com/console",
} satisfies TestMailProps;

/** Renders the test email: subject, html and text. */
export async function renderTestMail(props: TestMailProps): Promise<RenderedMail> {
  const { lead, detail, footer } = buildTexts(props);
  return {
    subject: SUBJECT,
    html: await render(<TestMail {...props} />),
    text: renderTextPart([lead, detail], footer),
  };
}
