import { Anchor, Button, Group, Skeleton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCheck,
  IconChecks,
  IconClock,
  IconMailOff,
  IconNote,
  type TablerIcon,
} from "@tabler/icons-react";
import Link from "next/link";
import { useState } from "react";
import { formatCount, formatDay, formatGrowthRange, formatShortCount } from "@/core/format";
import { addDays, countDaysBetween, type Day } from "@/core/time";
import type { InboxAlert, InboxSummary } from "@/features/alerts/inbox.service";
import { computeHeldCount } from "@/features/alerts/outcomes.rules";
import { LABEL_WORDS } from "@/features/alerts/rules";
import type { MailState } from "@/features/alerts/schema";
import type { Range } from "@/features/growth/calibration.rules";
import { computeRoundingError } from "@/features/growth/rules";
import { Fact } from "@/ui/facts";
import { toFailure } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { CauseBlock } from "../../_ui/cause";
import { MuteButton } from "../../_ui/mute";
import { NoteEditor } from "../../_ui/note-editor";
import { ExpectedRange } from "../../_ui/numbers";
import { QueryState } from "../../_ui/query-state";
import { QuietButton } from "../../_ui/quiet-button";
import { Distance } from "../../_ui/times";
import { Chart } from "../creators/[channel_id]/_chart/chart";
import { buildChartModel } from "../creators/[channel_id]/_chart/chart-model";
import { getShownDays } from "../creators/[channel_id]/_chart/snapshot-days";
import { ShareButton } from "../creators/[channel_id]/share";
import styles from "./alert-details.module.css";

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

export interface AlertDetailsProps {
  alert: InboxAlert;
  name: string;
  today: Day;
  /** How the key's alerts with the same outlook turned out; undefined before the first grade. */
  record: InboxSummary["record"][number] | undefined;
  onRead: (isRead: boolean) => void;
}

/** An alert's chart, cause, reason, certainty, outcomes and email, and what can be done with it. */
export function AlertDetails({ alert, name, today, record, onRead }: AlertDetailsProps) {
  const { id, channel_id, label, reason } = alert;
  const creator = trpc.creators.get.useQuery({ channel_id });
  const isTracked = creator.data !== undefined;
  const expected = creator.data?.expected_7d ?? null;
  return (
    <div id={`alert-${id}`} className={styles.details}>
      <AlertChart alert={alert} expected={expected} today={today} />
      <div className={styles.facts}>
        <CauseBlock cause={alert.cause} />
        <dl>
          <Fact name="Counts">
            {formatCount(alert.subscribers_before)} on {formatDay(addDays(alert.day, -1))},{" "}
            <strong>{formatCount(alert.subscribers_after)}</strong> on {formatDay(alert.day)}
          </Fact>
          <Fact name="True range">{describeCertainty(alert)}</Fact>
          <Fact name="Outlook">
            {label ? (
              <>
                <strong>{LABEL_WORDS[label]}.</strong> {reason} {record && describeRecord(record)}
              </>
            ) : (
              "No outlook"
            )}
          </Fact>
          {expected && (
            <Fact name="Expected">
              <strong>
                <ExpectedRange range={expected} />
              </strong>{" "}
              in the next 7 days, 8 in 10
            </Fact>
          )}
          <Fact name="Outcome">
            <Outcomes {...alert} />
          </Fact>
          <Fact name="Email">
            <Mail mail={alert.mail} />
          </Fact>
        </dl>
        <Actions alert={alert} name={name} isTracked={isTracked} onRead={onRead} />
      </div>
    </div>
  );
}

/**
 * The counts around an alert with the uploads of these days, where the count is expected next and what it has to hold;
 * or why there is no chart.
 * @param expected growth over the 7 days after the latest snapshot, in percent; null where it is not known
 */
function AlertChart({ alert, expected, today }: { alert: InboxAlert; expected: Range | null; today: Day }) {
  const { channel_id, creator_name: name } = alert;
  const history = trpc.creators.history.useQuery({ channel_id });
  const videos = trpc.creators.videos.useQuery({ channel_id }, { enabled: history.isSuccess });
  if (history.error && toFailure(history.error).code === "NOT_FOUND")
    return <p className={styles.none}>You no longer track this creator, so there is no chart.</p>;
  return (
    <QueryState query={history} skeleton={<Skeleton height={308} />}>
      {({ history: snapshots }) => {
        const { days } = getShownDays(snapshots, countDaysBetween(alert.day, today) < 30 ? "30" : "all", today);
        const charted = { channel_id, name, days, history: snapshots, expected, alerts: [alert] };
        const model = buildChartModel({ ...charted, uploads: videos.data?.uploads });
        if (!model || !days.some(({ day }) => day === alert.day))
          return <p className={styles.none}>Snapshots of these days are not kept any more.</p>;
        return (
          <figure data-direction={model.trend}>
            <figcaption className={styles.caption}>
              Subscribers{model.forecast?.range ? " and the expected range of the next 7 days" : ""}
            </figcaption>
            <Chart model={model} />
          </figure>
        );
      }}
    </QueryState>
  );
}

interface ActionsProps extends Pick<AlertDetailsProps, "alert" | "name" | "onRead"> {
  isTracked: boolean;
}

function Actions({ alert, name, isTracked, onRead }: ActionsProps) {
  const { channel_id, channel_url, is_read } = alert;
  const [isWriting, setIsWriting] = useState(false);
  const note = trpc.notes.get.useQuery({ channel_id }, { enabled: isTracked });
  const hasNote = Boolean(note.data?.note);
  return (
    <div className={styles.actions}>
      <Group gap="xs">
        {isTracked && (
          <>
            <Button component={Link} href={`/creators/${channel_id}`} prefetch={false} size="xs">
              Open creator
            </Button>
            <ShareButton channelId={channel_id} name={name} />
            {!hasNote && !isWriting && (
              <QuietButton leftSection={<IconNote size={14} aria-hidden />} onClick={() => setIsWriting(true)}>
                Add note
              </QuietButton>
            )}
          </>
        )}
        <MuteButton channelId={channel_id} name={name} />
        <Button variant="subtle" color="gray" size="xs" onClick={() => onRead(!is_read)}>
          {is_read ? "Mark unread" : "Mark read"}
        </Button>
        <Anchor href={channel_url} size="sm" target="_blank" rel="noreferrer">
          YouTube<span className="visually-hidden">: {name} (opens a new tab)</span>
        </Anchor>
      </Group>
      {isTracked && (hasNote || isWriting) && <NoteEditor channelId={channel_id} hasFocus={isWriting} />}
    </div>
  );
}

function describeCertainty(alert: InboxAlert) {
  const { subscribers_before, subscribers_after, growth_low: low, growth_high: high, certain } = alert;
  if (!certain && low > 10)
    return "The count stood still the day before: the platform may have added two days at once.";
  if (computeRoundingError(Math.max(subscribers_before, subscribers_after)) === 0)
    return "Exact: the platform does not round counts this small.";
  return (
    <>
      <strong>{formatGrowthRange(low, high)}</strong> in a day,{" "}
      {certain ? "above 10% in any case" : "so it may have been 10% or less"}
    </>
  );
}

function describeRecord({ held, graded }: InboxSummary["record"][number]): string {
  return graded === 1
    ? `Your one graded alert like it ${held === 1 ? "kept growing" : "faded"}.`
    : `Of your ${formatCount(graded)} graded alerts like it, ${held === 0 ? "none" : formatCount(held)} kept growing.`;
}

/** The grades, and what the next one needs. */
function Outcomes({ day, outcome_7d, outcome_28d, subscribers_before, subscribers_after }: InboxAlert) {
  const formatOutcome = (days: 7 | 28, outcome: InboxAlert["outcome_7d"]) => {
    if (outcome) return `${days} days later: ${outcome}`;
    const needed = formatShortCount(computeHeldCount(subscribers_before, subscribers_after, days));
    return `graded ${formatDay(addDays(day, days))}, held at ${needed} or more`;
  };
  const text = `${formatOutcome(7, outcome_7d)}; ${formatOutcome(28, outcome_28d)}.`;
  return (
    <>
      {text[0]?.toUpperCase()}
      {text.slice(1)}{" "}
      <Anchor href="/accuracy#rule" inherit underline="always">
        How grading works
      </Anchor>
    </>
  );
}

/** The state of an alert's email; null without an address. */
function Mail({ mail }: Pick<InboxAlert, "mail">) {
  if (!mail) return "None: no address was set, or the creator was muted";
  const { word, Icon, bad } = STATES[mail.state];
  return (
    <span className={styles.mail} data-bad={bad}>
      <Icon size={16} aria-hidden className={styles.icon} />
      <span>
        <span className={styles.state}>{word}</span> · {mail.recipient} · <Distance at={mail.at} />
      </span>
    </span>
  );
}
