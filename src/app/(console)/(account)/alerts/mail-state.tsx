"use client";

import { IconAlertTriangle, IconCheck, IconChecks, IconClock, IconMailOff, type TablerIcon } from "@tabler/icons-react";
import type { InboxAlert } from "@/features/alerts/inbox.schema";
import type { MailState as State } from "@/features/alerts/schema";
import { Distance } from "../../_ui/times";
import styles from "./alerts.module.css";

const STATES: Readonly<Record<State, { word: string; Icon: TablerIcon; bad?: boolean }>> = {
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

/** The state of an alert's mail; null without an address. */
export function MailState({ mail }: Pick<InboxAlert, "mail">) {
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
