import type { ReactNode } from "react";
import { Column, Heading, Row, render, Section, Text } from "react-email";
import { formatCount, formatDate, formatDay, formatQuantity } from "@/core/format";
import { Cause, type CauseProps, formatCauseLines } from "./cause";
import { formatName, formatSignedPercent, toSingleLine } from "./format";
import { type GrowthAlertProps, SYMBOLS } from "./growth-alert";
import { Layout, MailButton, palette, type RenderedMail, renderTextPart, SampleNote, styles } from "./layout";

interface Mover {
  name: string;
  /** Growth over seven days in percent, without sign: "12.5". */
  percent: string;
  /** Lowest and highest growth in percent that YouTube's rounding allows; null when the counts are exact. */
  range: { low: string; high: string } | null;
  /** 0 to 100; null when unknown. */
  score: number | null;
  level: string;
}

export interface WeeklyDigestProps {
  /** UTC days of the first and the last snapshot, `YYYY-MM-DD`. */
  firstDay: string;
  lastDay: string;
  /** Creators that grew, most first. */
  movers: Mover[];
  /** The week's alerts by severity, strongest first, without those that have none. */
  severities: { severity: GrowthAlertProps["severity"]; color: string; count: number }[];
  /** The message of the week's strongest alert. */
  strongest: string | null;
  cause: CauseProps | null;
  outcomes: { held: number; faded: number; unclear: number };
  keyLabel: string;
  unsubscribeUrl: string;
  consoleUrl: string;
  /** Whether the counts come from the sample platform. */
  sampleData: boolean;
}

function formatAlertCounts({ severities }: WeeklyDigestProps): string {
  const alerts = severities.reduce((sum, severity) => sum + severity.count, 0);
  return alerts === 0 ? "No alerts" : formatQuantity(alerts, "alert");
}

/** The subject line, without control characters. */
export function formatWeeklyDigestSubject(props: WeeklyDigestProps): string {
  const [first] = props.movers;
  const mover = first ? `, ${formatName(first.name)} grew ${first.percent}%` : "";
  return `Your week: ${formatAlertCounts(props).toLowerCase()}${mover}`;
}

const OUTCOMES = [
  { outcome: "held", symbol: "✓" },
  { outcome: "faded", symbol: "↘" },
  { outcome: "unclear", symbol: "?" },
] as const;

function buildTexts(props: WeeklyDigestProps) {
  const { held, faded, unclear } = props.outcomes;
  return {
    week: `${formatDay(props.firstDay)} to ${formatDate(props.lastDay)}`,
    movers: props.movers.map((mover) => ({
      name: formatName(mover.name),
      growth: formatSignedPercent(mover.percent),
      range: mover.range && `${formatSignedPercent(mover.range.low)} to ${formatSignedPercent(mover.range.high)}`,
      score: mover.score === null ? "No score" : `Score ${mover.score}, ${mover.level}`,
    })),
    moversNote: "Growth over 7 days. A range shows what YouTube’s rounding allows.",
    alerts: formatAlertCounts(props),
    strongest: props.strongest && `Strongest: ${toSingleLine(props.strongest)}`,
    outcomes: held + faded + unclear > 0 ? props.outcomes : null,
    outcomesNote: "Alerts graded this week, 7 or 28 days after the jump.",
    sample: props.sampleData ? "Sample data" : null,
    footer: {
      notes: [
        `Counts: ${props.sampleData ? "sample data, not YouTube" : "YouTube"}. We calculate growth, scores, severity and outcomes; YouTube does not.`,
      ],
      reason: `You get this because the weekly digest is on for the API key “${toSingleLine(props.keyLabel)}”. To end only the digest, turn it off in Settings. Unsubscribe ends all emails of this key to this address.`,
      unsubscribeUrl: props.unsubscribeUrl,
      consoleUrl: props.consoleUrl,
    },
  };
}

const LINE = "border-0 border-t border-solid border-line py-2.5 align-top dark:border-night-line";

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section className="mt-7">
      <Heading as="h2" className={`${styles.text} mb-2 text-[16px] leading-[24px] font-semibold`}>
        {title}
      </Heading>
      {children}
    </Section>
  );
}

function Movers({ movers, moversNote }: ReturnType<typeof buildTexts>) {
  return (
    <Part title="Top movers">
      {movers.map(({ name, growth, range, score }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two creators may have one name
        <Row key={index}>
          <Column className={LINE}>
            <Text className={`${styles.text} text-[15px] leading-[22px] ${styles.wrap}`}>
              <strong dir="auto">{name}</strong>
            </Text>
            <Text className={styles.small}>{score}</Text>
          </Column>
          <Column align="right" className={`${LINE} pl-3`}>
            <Text className={`${styles.text} text-[15px] leading-[22px] whitespace-nowrap`}>
              <strong>{growth}</strong>
            </Text>
            {range && <Text className={`${styles.small} whitespace-nowrap`}>{range}</Text>}
          </Column>
        </Row>
      ))}
      <Text className={`${styles.small} mt-2`}>{moversNote}</Text>
    </Part>
  );
}

function Alerts({ severities, strongest, cause }: Pick<WeeklyDigestProps, "severities" | "strongest" | "cause">) {
  return (
    <>
      {severities.map(({ severity, color, count: alerts }) => (
        <Row key={severity}>
          <Column className={LINE}>
            <span
              className="inline-block rounded-md px-2 py-1 text-[13px] leading-[18px] font-semibold"
              style={{ backgroundColor: color, color: palette.ink }}
            >
              <span aria-hidden="true">{SYMBOLS[severity]}</span> {severity}
            </span>
          </Column>
          <Column align="right" className={LINE}>
            <Text className={`${styles.text} text-[15px] leading-[26px]`}>
              <strong>{formatCount(alerts)}</strong>
            </Text>
          </Column>
        </Row>
      ))}
      {strongest && (
        <Text className={`${styles.text} mt-2 text-[14px] leading-[21px] ${styles.wrap}`}>{strongest}</Text>
      )}
      {strongest && cause && <Cause {...cause} />}
    </>
  );
}

function Outcomes({ outcomes, note }: { outcomes: WeeklyDigestProps["outcomes"]; note: string }) {
  return (
    <Part title="How earlier alerts turned out">
      <Text className={`${styles.text} text-[15px] leading-[23px]`}>
        {OUTCOMES.map(({ outcome, symbol }) => (
          <span key={outcome} className="mr-5 inline-block whitespace-nowrap">
            <span aria-hidden="true">{symbol}</span> <strong>{formatCount(outcomes[outcome])}</strong> {outcome}
          </span>
        ))}
      </Text>
      <Text className={`${styles.small} mt-1`}>{note}</Text>
    </Part>
  );
}

/** Renders the digest: subject, html and text. */
export async function renderWeeklyDigest(props: WeeklyDigestProps): Promise<RenderedMail> {
  const texts = buildTexts(props);
  const { week, movers, strongest, outcomes, sample } = texts;
  const html = await render(
    <Layout
      title={formatWeeklyDigestSubject(props)}
      preview={strongest ?? week}
      strip={{ word: "WEEKLY DIGEST", note: week }}
      {...texts.footer}
    >
      {sample && <SampleNote>{sample}</SampleNote>}
      <Heading className={`${styles.text} text-[24px] leading-[32px] font-bold tracking-[-0.02em]`}>
        Your creators this week
      </Heading>
      {movers.length > 0 && <Movers {...texts} />}
      <Part title={texts.alerts}>
        <Alerts severities={props.severities} strongest={strongest} cause={props.cause} />
      </Part>
      {outcomes && <Outcomes outcomes={outcomes} note={texts.outcomesNote} />}
      <MailButton href={props.consoleUrl}>Open the overview</MailButton>
    </Layout>,
  );
  const moverLines = movers.map(
    ({ name, growth, range, score }) => `${name}: ${growth}${range ? ` (${range})` : ""}. ${score}`,
  );
  const severityLines = props.severities.map(
    (total) => `${SYMBOLS[total.severity]} ${total.severity}: ${formatCount(total.count)}`,
  );
  const outcomeLines = OUTCOMES.map(({ outcome }) => `${formatCount(props.outcomes[outcome])} ${outcome}`);
  const text = renderTextPart(
    [
      sample,
      `Your creators this week, ${week}`,
      movers.length > 0 ? ["Top movers", ...moverLines, texts.moversNote].join("\n") : null,
      [
        texts.alerts,
        ...severityLines,
        ...(strongest ? [strongest] : []),
        ...(strongest && props.cause ? [formatCauseLines(props.cause)] : []),
      ].join("\n"),
      outcomes && `How earlier alerts turned out: ${outcomeLines.join(", ")}\n${texts.outcomesNote}`,
      `Overview: ${props.consoleUrl}`,
    ],
    texts.footer,
  );
  return { subject: formatWeeklyDigestSubject(props), html, text };
}
