"use client";

import { Anchor, Button, Group } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { formatCount, formatDay, formatGrowth } from "@/core/format";
import { addDays } from "@/core/time";
import type { InboxAlert } from "@/features/alerts/inbox.schema";
import { LABEL_WORDS } from "@/features/alerts/rules";
import { computeRoundingError } from "@/features/growth/rules";
import { CauseBlock } from "../../_ui/cause";
import { MuteButton } from "../../_ui/mute-button";
import styles from "./alerts.module.css";
import { MailState } from "./mail-state";

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
        <Fact name="Cause">
          <CauseBlock cause={alert.cause} />
        </Fact>
        <Fact name="Counts">
          <Counts {...alert} />
        </Fact>
        <Fact name="Certainty">{describeCertainty(alert)}</Fact>
        <Fact name="Outlook">
          {label ? (
            <>
              <strong>{LABEL_WORDS[label]}.</strong> {reason}
            </>
          ) : (
            "No outlook"
          )}
        </Fact>
        <Fact name="Outcome">
          <Outcomes {...alert} />
        </Fact>
        <Fact name="Email">
          <MailState mail={mail} />
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

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
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
