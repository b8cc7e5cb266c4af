"use client";

import { Anchor, Text, UnstyledButton } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { addDays, startOfDay } from "@/core/time";
import { LABEL_WORDS } from "@/features/alerts/rules";
import type { InboxAlert } from "@/features/alerts/schema";
import { hiddenByRounding } from "@/features/growth/rules";
import { formatCount, formatDay, formatGrowth } from "@/ui/format";
import { SeverityBadge } from "../../_ui/badges";
import { shownName } from "../../_ui/shown-name";
import { Distance } from "../../_ui/times";
import styles from "./alerts.module.css";
import { MailState } from "./mail-state";

interface AlertEntryProps {
  alert: InboxAlert;
  /** Filters the inbox by this severity. */
  onSeverity: () => void;
}

/** One alert: creator, growth with certainty, outlook, outcome and mail. */
export function AlertEntry({ alert, onSeverity }: AlertEntryProps) {
  const { channel_id, severity, created_at, percent, channel_url } = alert;
  const name = shownName({ channel_id, name: alert.creator_name });
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <UnstyledButton onClick={onSeverity} className={styles.severity} title="Show this severity only">
          <SeverityBadge severity={severity} />
        </UnstyledButton>
        <Text size="sm" c="dimmed">
          <Distance at={created_at} />
        </Text>
      </div>
      <h2 className={styles.title}>
        <Anchor
          component={Link}
          href={`/creators/${channel_id}`}
          prefetch={false}
          c="inherit"
          dir="auto"
          inherit
        >
          {name}
        </Anchor>{" "}
        <strong className={styles.growth}>{formatGrowth(percent)}</strong>{" "}
        <span className={styles.period}>in one day</span>
      </h2>
      <dl className={styles.facts}>
        <Fact name="Counts">
          <Counts {...alert} />
        </Fact>
        <Fact name="Certainty">{certainty(alert)}</Fact>
        <Fact name="Outlook">
          {alert.label ? (
            <>
              <strong>{LABEL_WORDS[alert.label]}.</strong> {alert.reason}
            </>
          ) : (
            "Not judged"
          )}
        </Fact>
        <Fact name="Outcome">
          <Outcomes {...alert} />
        </Fact>
        <Fact name="Mail">
          <MailState mail={alert.mail} />
        </Fact>
      </dl>
      <Anchor href={channel_url} size="sm" target="_blank" rel="noreferrer">
        Open on YouTube
        <span className="visually-hidden">: {name} (opens a new tab)</span>
      </Anchor>
    </li>
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
      {formatCount(before)} on {dayWord(addDays(day, -1))} → <strong>{formatCount(after)} subscribers</strong>{" "}
      on {dayWord(day)} (UTC)
    </>
  );
}

/** How certain the growth is, given the platform's rounding. */
function certainty(alert: InboxAlert): string {
  const { subscribers_before, subscribers_after, growth_low: low, growth_high: high, certain } = alert;
  if (hiddenByRounding(Math.max(subscribers_before, subscribers_after)) === 0)
    return "Exact: the platform does not round counts this small.";
  const range = `The platform rounds counts: true growth is between ${formatGrowth(low)} and ${formatGrowth(high)}`;
  return certain ? `${range}, above 10% in any case.` : `${range}, so it may have been 10% or less.`;
}

function Outcomes({ day, outcome_7d, outcome_28d }: InboxAlert) {
  const after = (days: number, outcome: InboxAlert["outcome_7d"]) =>
    outcome
      ? `${days} days later: ${outcome}`
      : `${days} days later: graded on ${dayWord(addDays(day, days))} or soon after`;
  return (
    <>
      {after(7, outcome_7d)} · {after(28, outcome_28d)}{" "}
      <Anchor href="/accuracy#rule" inherit underline="always">
        How<span className="visually-hidden"> alerts are graded</span>?
      </Anchor>
    </>
  );
}

function dayWord(day: string): string {
  return formatDay(startOfDay(day));
}
