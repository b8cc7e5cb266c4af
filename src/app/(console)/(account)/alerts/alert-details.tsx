"use client";

import { Anchor, Button, Group } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconChecks, IconClock, IconMailOff, type TablerIcon } from "@tabler/icons-react";
import Link from "next/link";
import { formatCount, formatDay, formatGrowth } from "@/core/format";
import { addDays } from "@/core/time";
import type { InboxAlert } from "@/features/alerts/inbox.schema";
import { LABEL_WORDS } from "@/features/alerts/rules";
import type { MailState } from "@/features/alerts/schema";
import { computeRoundingError } from "@/features/growth/rules";
import { CauseBlock } from "../../_ui/cause";
import { Fact } from "../../_ui/fact";
import { MuteButton } from "../../_ui/mute";
import { Distance } from "../../_ui/times";
import styles from "./alerts.module.css";

const STATES: Readonly<Record<MailState, { word: string; Icon: TablerIcon; bad?: boolean }>> = {
  pending: { word: "Waiting to be sent", Icon: IconClock },
  sent: { word: "Sent", Icon: IconCheck },
  delayed: { word: "Sent, delayed on its way", Icon: IconClock },
  delivered: { word: "Delivered", Icon: IconChecks },
  bounced: { word: "Bounced: the address is unreachable", Icon: IconAlertTriangle, bad: true },
  complained: { word: "Delivered, reported as spam", Icon: IconAlertTriangle, bad: true },
  failed: { word: "Failed: it could not be sent", Icon: IconAlertTriangle, bad: true },
  skipped: { word: "Not sent: the address was removed or the creator muted", Icon: IconMailOff },
  unknown: { word: "Unknown: it may have been sent", Icon: IconAlertTriangle, bad: true },
};

interface AlertDetailsProps {
  alert: InboxAlert;
  name: string;
  onRead: (isRead: boolean) => void;
  /** Filters the inbox by this severity. */
  onSeverity: () => void;
}

/** An alert's cause, reason, certainty, outcomes and email. */
export function AlertDetails({ alert, name, onRead, onSeverity }: AlertDetailsProps) {
  const { id, channel_id, channel_url, severity, label, reason, mail } = alert;
  return (
    <div id={`alert-${id}`} className={styles.details}>
      <dl className={styles.facts}>
        <Fact className={styles.fact} name="Cause">
          <CauseBlock cause={alert.cause} />
        </Fact>
        <Fact className={styles.fact} name="Counts">
          <Counts {...alert} />
        </Fact>
        <Fact className={styles.fact} name="Certainty">
          {describeCertainty(alert)}
        </Fact>
        <Fact className={styles.fact} name="Outlook">
          {label ? (
            <>
              <strong>{LABEL_WORDS[label]}.</strong> {reason}
            </>
          ) : (
            "No outlook"
          )}
        </Fact>
        <Fact className={styles.fact} name="Outcome">
          <Outcomes {...alert} />
        </Fact>
        <Fact className={styles.fact} name="Email">
          <Mail mail={mail} />
        </Fact>
      </dl>
      <Group gap="xs">
        <Button component={Link} href={`/creators/${channel_id}`} prefetch={false} size="xs">
          See the chart
        </Button>
        <MuteButton channelId={channel_id} name={name} />
        <Button variant="default" size="xs" onClick={() => onRead(!alert.is_read)}>
          {alert.is_read ? "Mark as unread" : "Mark as read"}
        </Button>
        <Button variant="default" size="xs" onClick={onSeverity}>
          Only {severity}
        </Button>
        <Anchor href={channel_url} size="sm" target="_blank" rel="noreferrer">
          Open on YouTube
          <span className="visually-hidden">: {name} (opens a new tab)</span>
        </Anchor>
      </Group>
    </div>
  );
}

function Counts({ day, subscribers_before: before, subscribers_after: after }: InboxAlert) {
  return (
    <>
      {formatCount(before)} on {formatDay(addDays(day, -1))} → <strong>{formatCount(after)} subscribers</strong> on{" "}
      {formatDay(day)} (UTC)
    </>
  );
}

/** How certain the growth is, given the platform's rounding and delays. */
function describeCertainty(alert: InboxAlert): string {
  const { subscribers_before, subscribers_after, growth_low: low, growth_high: high, certain } = alert;
  if (!certain && low > 10)
    return "The count stood still the day before: the platform may have added two days at once.";
  if (computeRoundingError(Math.max(subscribers_before, subscribers_after)) === 0)
    return "Exact: the platform does not round counts this small.";
  const range = `The platform rounds counts: true growth is between ${formatGrowth(low)} and ${formatGrowth(high)}`;
  return certain ? `${range}, above 10% in any case.` : `${range}, so it may have been 10% or less.`;
}

function Outcomes({ day, outcome_7d, outcome_28d }: InboxAlert) {
  const formatOutcome = (days: number, outcome: InboxAlert["outcome_7d"]) =>
    outcome
      ? `${days} days later: ${outcome}`
      : `${days} days later: graded on ${formatDay(addDays(day, days))} or soon after`;
  return (
    <>
      {formatOutcome(7, outcome_7d)} · {formatOutcome(28, outcome_28d)}{" "}
      <Anchor href="/accuracy#rule" inherit underline="always">
        How<span className="visually-hidden"> alerts are graded</span>?
      </Anchor>
    </>
  );
}

/** The state of an alert's mail; null without an address. */
function Mail({ mail }: Pick<InboxAlert, "mail">) {
  if (!mail) return "None: no address was set, or the creator was muted";
  const { word, Icon, bad } = STATES[mail.state];
  return (
    <span className={styles.mail} data-bad={bad}>
      <Icon size={16} aria-hidden className={styles.icon} />
      <span>
        <span className={styles.state}>{word}</span>, {mail.recipient}, <Distance at={mail.at} />
      </span>
    </span>
  );
}
