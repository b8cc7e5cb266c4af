"use client";

import { UnstyledButton } from "@mantine/core";
import { IconBellOff, IconChevronRight } from "@tabler/icons-react";
import { formatGrowth } from "@/core/format";
import type { InboxAlert } from "@/features/alerts/inbox.schema";
import { LABEL_WORDS } from "@/features/alerts/rules";
import { Avatar } from "../../_ui/avatar";
import { SeverityBadge } from "../../_ui/badges";
import { CauseLine } from "../../_ui/cause";
import { getDisplayName } from "../../_ui/names";
import { Distance } from "../../_ui/times";
import { AlertDetails } from "./alert-details";
import styles from "./alerts.module.css";

interface AlertRowProps {
  alert: InboxAlert;
  isOpen: boolean;
  isMuted: boolean;
  onToggle: () => void;
  onRead: (isRead: boolean) => void;
  onSeverity: () => void;
}

/** An alert in one line that expands to its details. */
export function AlertRow({ alert, isOpen, isMuted, onToggle, onRead, onSeverity }: AlertRowProps) {
  const { id, channel_id, severity, created_at, percent, growth_low, growth_high, label } = alert;
  const name = getDisplayName({ channel_id, name: alert.creator_name });
  return (
    <li className={styles.item} data-unread={!alert.is_read || undefined} data-open={isOpen || undefined}>
      <UnstyledButton
        className={styles.row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `alert-${id}` : undefined}
        data-alert={id}
        onClick={onToggle}
      >
        <span className={styles.dot} title={alert.is_read ? undefined : "Unread"}>
          {!alert.is_read && <span className="visually-hidden">Unread. </span>}
        </span>
        <span className={styles.severity}>
          <SeverityBadge severity={severity} />
        </span>
        <span className={styles.who}>
          <Avatar channel_id={channel_id} name={alert.creator_name} thumbnail_url={alert.thumbnail_url} />
          <bdi className={styles.name}>{name}</bdi>
          {isMuted && <IconBellOff size={14} aria-label="Muted" className={styles.muted} />}
        </span>
        <span className={styles.growth}>
          <strong>{formatGrowth(percent)}</strong>
          {growth_low !== growth_high && (
            <span className={styles.range}>
              <span className="visually-hidden">, true growth </span>
              {`${formatGrowth(growth_low)} to ${formatGrowth(growth_high)}`}
            </span>
          )}
        </span>
        <span className={styles.label}>{label ? LABEL_WORDS[label] : "No outlook"}</span>
        <span className={styles.cause}>
          <CauseLine cause={alert.cause} />
        </span>
        <span className={styles.outcome} data-outcome={alert.outcome ?? undefined}>
          {alert.outcome ?? "not graded yet"}
        </span>
        <span className={styles.when}>
          <Distance at={created_at} />
        </span>
        <IconChevronRight size={16} className={styles.chevron} aria-hidden />
      </UnstyledButton>
      {isOpen && <AlertDetails alert={alert} name={name} onRead={onRead} onSeverity={onSeverity} />}
    </li>
  );
}
