import { Column, Heading, Link, Row, render, Section, Text } from "react-email";
import { formatCount, formatDate, formatUtc } from "@/core/format";
import { Cause, type CauseProps, formatCauseLines } from "./cause";
import { formatName, formatSignedPercent, toSingleLine } from "./format";
import { Layout, MailButton, type RenderedMail, renderTextPart, SampleNote, styles } from "./layout";

export interface GrowthAlertProps {
  creatorName: string;
  channelUrl: string;
  creatorUrl: string;
  /** One-day growth in percent, without sign: "12.5". */
  percent: string;
  severity: "EXPLOSIVE" | "SURGING" | "RISING FAST" | "WATCH";
  /** The severity's color, `#rrggbb`. */
  color: string;
  /** The severity in a few words: "Massive spike". */
  meaning: string;
  before: number;
  after: number;
  /** UTC day of the later count, `YYYY-MM-DD`. */
  day: string;
  /** Lowest and highest growth in percent that YouTube's rounding allows. */
  bounds: { low: string; high: string } | null;
  /** Whether the growth looks sustained, and why. */
  outlook: { word: string; reason: string } | null;
  cause: CauseProps | null;
  keyLabel: string;
  unsubscribeUrl: string;
  muteUrl: string;
  consoleUrl: string;
  /** Whether the counts come from the sample platform. */
  sampleData: boolean;
  /** When the later count was read, ISO 8601. */
  readAt: string;
}

// Shows the severity without color.
export const SYMBOLS: Record<GrowthAlertProps["severity"], string> = {
  EXPLOSIVE: "▲▲▲▲",
  SURGING: "▲▲▲",
  "RISING FAST": "▲▲",
  WATCH: "▲",
};

const DAY_MS = 86_400_000;

/** The subject line, without control characters. */
export function formatGrowthAlertSubject(alert: Pick<GrowthAlertProps, "severity" | "creatorName" | "percent">) {
  return `${alert.severity}: ${formatName(alert.creatorName)} grew ${alert.percent}% in one day`;
}

function buildTexts(props: GrowthAlertProps) {
  const { percent, bounds, sampleData } = props;
  const before = formatCount(props.before);
  const after = formatCount(props.after);
  return {
    name: formatName(props.creatorName),
    grew: ` grew ${percent}% in one day `,
    counts: `(${before} → ${after})`,
    snapshots: [
      { day: formatDate(Date.parse(props.day) - DAY_MS), subscribers: before },
      { day: formatDate(props.day), subscribers: after },
    ],
    rounding:
      bounds &&
      `YouTube rounds counts. True growth is between ${formatSignedPercent(bounds.low)} and ${formatSignedPercent(bounds.high)}.`,
    outlook: props.outlook && { word: `${props.outlook.word}.`, reason: ` ${props.outlook.reason}` },
    sample: sampleData ? "Sample data" : null,
    footer: {
      notes: [
        `Counts: ${sampleData ? "sample data, not YouTube" : "YouTube"}. We calculate growth, severity, outlook and likely cause; YouTube does not.`,
        `Read ${formatUtc(props.readAt)}.`,
      ],
      reason: `You get this because the API key “${toSingleLine(props.keyLabel)}” tracks this creator and sends its alerts to this address.`,
      unsubscribeUrl: props.unsubscribeUrl,
      mute: { text: "Mute this creator", url: props.muteUrl },
      consoleUrl: props.consoleUrl,
    },
  };
}

function GrowthAlert(props: GrowthAlertProps) {
  const { name, grew, counts, snapshots, rounding, outlook, sample, footer } = buildTexts(props);
  const big = formatSignedPercent(props.percent);
  return (
    <Layout
      title={formatGrowthAlertSubject(props)}
      preview={`${formatCount(props.before)} → ${formatCount(props.after)} subscribers. ${props.meaning}.`}
      strip={{ symbol: SYMBOLS[props.severity], word: props.severity, note: props.meaning, color: props.color }}
      {...footer}
    >
      {sample && <SampleNote>{sample}</SampleNote>}
      <Text
        className={`${styles.text} ${big.length > 6 ? "text-[38px] leading-[48px]" : "text-[56px] leading-[60px]"} font-bold tracking-[-0.03em] ${styles.wrap}`}
      >
        {big}
      </Text>
      <Heading className={`${styles.text} mt-3 text-[18px] leading-[26px] font-normal ${styles.wrap}`}>
        <strong dir="auto">{name}</strong>
        {grew}
        <span className="inline-block">{counts}</span>
      </Heading>
      <Section className="mt-6">
        {snapshots.map(({ day, subscribers }) => (
          <Row key={day}>
            <Column className="border-0 border-t border-solid border-line py-2.5 dark:border-night-line">
              <Text className={`${styles.small} text-[14px] whitespace-nowrap`}>{day}</Text>
            </Column>
            <Column align="right" className="border-0 border-t border-solid border-line py-2.5 dark:border-night-line">
              <Text className={`${styles.text} text-[14px] leading-[20px]`}>
                <strong>{subscribers}</strong> subscribers
              </Text>
            </Column>
          </Row>
        ))}
      </Section>
      {rounding && <Text className={`${styles.small} mt-2`}>{rounding}</Text>}
      {outlook && (
        <Text className={`${styles.text} mt-5 text-[15px] leading-[23px]`}>
          <strong>{outlook.word}</strong>
          {outlook.reason}
        </Text>
      )}
      {props.cause && <Cause {...props.cause} />}
      <MailButton href={props.creatorUrl}>See the chart</MailButton>
      <Text className={`${styles.small} mt-4`}>
        <Link href={props.channelUrl} className={styles.link}>
          Open the channel on YouTube
        </Link>
      </Text>
    </Layout>
  );
}

/** Renders the alert mail: subject, html and text. */
export async function renderGrowthAlert(props: GrowthAlertProps): Promise<RenderedMail> {
  const { name, grew, counts, snapshots, rounding, outlook, sample, footer } = buildTexts(props);
  const text = renderTextPart(
    [
      sample,
      `${SYMBOLS[props.severity]} ${props.severity}: ${props.meaning}`,
      `${name}${grew}${counts}`,
      snapshots.map(({ day, subscribers }) => `${day}: ${subscribers} subscribers`).join("\n"),
      rounding,
      outlook && `${outlook.word}${outlook.reason}`,
      props.cause && formatCauseLines(props.cause),
      `See the chart: ${props.creatorUrl}`,
      `Channel: ${props.channelUrl}`,
    ],
    footer,
  );
  return { subject: formatGrowthAlertSubject(props), html: await render(<GrowthAlert {...props} />), text };
}
