import { UnstyledButton } from "@mantine/core";
import { IconBellOff, IconCheck, IconChevronDown, IconClock, IconMinus } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { formatDay, formatGrowth, formatGrowthRange, formatTime, formatUtc } from "@/core/format";
import { addDays } from "@/core/time";
import { HORIZONS } from "@/features/alerts/outcomes.rules";
import { LABEL_WORDS } from "@/features/alerts/rules";
import { Avatar } from "../../_ui/avatar";
import { Severity } from "../../_ui/badges";
import { CauseLine } from "../../_ui/cause";
import { getDisplayName } from "../../_ui/names";
import { SkeletonRows } from "../../_ui/query-state";
import type { AlertDetailsProps } from "./alert-details";
import styles from "./alerts.module.css";

/** Loaded with the first open row. */
const AlertDetails = dynamic(() => import("./alert-details").then(({ AlertDetails }) => AlertDetails), {
  loading: () => <SkeletonRows count={1} height={320} />,
});

interface AlertRowProps extends Omit<AlertDetailsProps, "name"> {
  isOpen: boolean;
  isMuted: boolean;
  onToggle: () => void;
}

/** An alert in one line that expands to its details. */
export function AlertRow({ isOpen, isMuted, onToggle, ...details }: AlertRowProps) {
  const { alert, today } = details;
  const { id, channel_id, day, severity, created_at, percent, growth_low, growth_high, label } = alert;
  const name = getDisplayName({ channel_id, name: alert.creator_name });
  return (
    <li
      className={styles.item}
      data-severity={severity}
      data-unread={!alert.is_read || undefined}
      data-open={isOpen || undefined}
    >
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
          <Severity severity={severity} />
        </span>
        <span className={styles.who}>
          <Avatar channel_id={channel_id} name={alert.creator_name} thumbnail_url={alert.thumbnail_url} />
          <bdi className={`${styles.name} truncate`}>{name}</bdi>
          {isMuted && <IconBellOff size={14} aria-label="Muted" className={styles.muted} />}
        </span>
        <span className={styles.growth}>
          <strong>{formatGrowth(percent)}</strong>
          {growth_low !== growth_high && (
            <span className={styles.range}>
              <span className="visually-hidden">, true growth </span>
              {formatGrowthRange(growth_low, growth_high)}
            </span>
          )}
        </span>
        <span className={styles.label}>
          <span className="visually-hidden">Outlook: </span>
          {label ? LABEL_WORDS[label] : "No outlook"}
        </span>
        <span className={styles.cause}>
          <CauseLine cause={alert.cause} />
        </span>
        {HORIZONS.map((days) => (
          <Grade key={days} alert={alert} days={days} />
        ))}
        <time className={styles.when} dateTime={created_at} title={formatUtc(created_at)}>
          <span className="visually-hidden">Alerted </span>
          {day === today ? formatTime(created_at) : formatDay(created_at)}
        </time>
        <IconChevronDown size={16} className={styles.chevron} aria-hidden />
      </UnstyledButton>
      {isOpen && <AlertDetails name={name} {...details} />}
    </li>
  );
}

/** How the alert turned out after a number of days, or the day on which that is graded. */
function Grade({ alert, days }: Pick<AlertRowProps, "alert"> & { days: (typeof HORIZONS)[number] }) {
  const outcome = alert[`outcome_${days}d`];
  const { word, Icon } = outcome ? GRADES[outcome] : { word: formatDay(addDays(alert.day, days)), Icon: IconClock };
  return (
    <span className={styles.grade} data-days={days} data-outcome={outcome ?? undefined}>
      <Icon size={13} aria-hidden />
      <span className="visually-hidden">{outcome ? `After ${days} days: ` : `Graded after ${days} days, on `}</span>
      {word}
    </span>
  );
}

const GRADES = {
  held: { word: "Held", Icon: IconCheck },
  faded: { word: "Faded", Icon: IconChevronDown },
  unclear: { word: "Unclear", Icon: IconMinus },
};
