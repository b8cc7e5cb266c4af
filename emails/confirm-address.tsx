import { Button, Heading, render, Section, Text } from "react-email";
import { toSingleLine } from "./format";
import { Layout, type RenderedMail, renderTextPart, styles } from "./layout";

export interface ConfirmAddressProps {
  /** The recipient. */
  address: string;
  keyLabel: string;
  confirmUrl: string;
  consoleUrl: string;
}

const SUBJECT = "Confirm your growth alerts";

function buildTexts(props: ConfirmAddressProps) {
  return {
    address: toSingleLine(props.address),
    ask: " was set again as the alert address of an API key.",
    detail: "Alerts start once you confirm. If you do not want them, ignore this email.",
    footer: {
      reason: `You get this because the API key “${toSingleLine(props.keyLabel)}” sends its alerts to this address.`,
      consoleUrl: props.consoleUrl,
    },
  };
}

/** Asks an address that unsubscribed, bounced or complained to confirm. */
export function ConfirmAddress(props: ConfirmAddressProps) {
  const { address, ask, detail, footer } = buildTexts(props);
  return (
    <Layout
      title={SUBJECT}
      preview={detail}
      accent={{ background: "#3f3f46", ink: "#ffffff" }}
      strip={
        <>
          <span aria-hidden="true">✓</span> <strong className="tracking-[0.06em]">CONFIRM</strong>
          <span>{" \u00a0Growth alerts"}</span>
        </>
      }
      {...footer}
    >
      <Heading className={`${styles.text} text-[18px] leading-[26px] font-normal ${styles.wrap}`}>
        <strong>{address}</strong>
        {ask}
      </Heading>
      <Text className={`${styles.text} mt-3 text-[15px] leading-[24px]`}>{detail}</Text>
      <Section className="mt-7">
        <Button href={props.confirmUrl} className={styles.button}>
          Receive growth alerts
        </Button>
      </Section>
    </Layout>
  );
}

ConfirmAddress.PreviewProps = {
  address: "scout@agency.example",
  keyLabel: "Scouting",
  confirmUrl: "https://growth.example.com/confirm-address?token=preview",
  consoleUrl: "https://growth.example.com/console",
} satisfies ConfirmAddressProps;

/** Renders the confirmation mail: subject, html and text. */
export async function renderConfirmAddress(props: ConfirmAddressProps): Promise<RenderedMail> {
  const { address, ask, detail, footer } = buildTexts(props);
  const text = renderTextPart(
    [`${address}${ask}`, detail, `Receive growth alerts: ${props.confirmUrl}`],
    footer,
  );
  return { subject: SUBJECT, html: await render(<ConfirmAddress {...props} />), text };
}
