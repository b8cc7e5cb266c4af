import { Button, Skeleton } from "@mantine/core";
import { IconCheck, IconChevronDown, IconClock, IconQuestionMark } from "@tabler/icons-react";
import { useState } from "react";
import { formatCount, formatDay, formatGrowth, formatGrowthRange, formatShortCount } from "@/core/format";
import { addDays } from "@/core/time";
import { computeHeldCount, HORIZONS } from "@/features/alerts/outcomes.rules";
import { getSeverityLevel, LABEL_WORDS } from "@/features/alerts/rules";
import type { Alert } from "@/features/alerts/schema";
import type { CreatorDetails, HistorySnapshot } from "@/features/creators/schema";
import { computeGrowthPercent } from "@/features/growth/rules";
import { trpc } from "../../../_client/trpc";
import { Severity } from "../../../_ui/badges";
import { QueryState } from "../../../_ui/query-state";
import { buildAlertsQuery } from "./alerts-query";
import styles from "./creator-alerts.module.css";
import { Section } from "./section";

const SHOWN = 3;

/** The key's alerts for a creator as a timeline, newest first, each with what became of it. */
export function CreatorAlerts({ channel_id: channelId, counts }: CreatorDetails) {
  const alerts = trpc.alerts.list.useQuery(buildAlertsQuery(channelId));
  const history = trpc.creators.history.useQuery({ channel_id: channelId }).data?.history ?? [];
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section title="Alerts" aside={alerts.data && summarize(alerts.data.alerts)}>
      <QueryState query={alerts} skeleton={<Skeleton height={92} />}>
        {({ alerts: all }) =>
          all.length === 0 ? (
            <p className={styles.none}>
              {counts === "hidden"
                ? "No alerts: the channel hides its subscribers."
                : "No alerts yet. You get one when this creator grows more than 10% in a day."}
            </p>
          ) : (
            <>
              <ol className={styles.timeline}>
                {(isOpen ? all : all.slice(0, SHOWN)).map((alert) => (
                  <AlertItem key={alert.id} alert={alert} history={history} />
                ))}
              </ol>
              {all.length > SHOWN && (
                <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
                  {isOpen ? "Show fewer" : `Show all ${formatCount(all.length)}`}
                </Button>
              )}
            </>
          )
        }
      </QueryState>
    </Section>
  );
}

/** `3 so far: 1 held, 1 faded, 1 waiting`; nothing without alerts. */
function summarize(alerts: readonly Alert[]): string {
  if (alerts.length === 0) return "";
  const counts = OUTCOMES.flatMap(({ outcome, word }) => {
    const found = alerts.filter((alert) => alert.outcome === outcome).length;
    return found > 0 ? [`${found} ${word.toLowerCase()}`] : [];
  });
  return `${formatCount(alerts.length)} so far: ${counts.join(", ")}`;
}

const OUTCOMES = [
  { outcome: "held", word: "Held", Icon: IconCheck },
  { outcome: "faded", word: "Faded", Icon: IconChevronDown },
  { outcome: "unclear", word: "Unclear", Icon: IconQuestionMark },
  { outcome: null, word: "Waiting", Icon: IconClock },
] as const;

/** An alert, and what became of it or what its next grade needs. */
function AlertItem({ alert, history }: { alert: Alert; history: readonly HistorySnapshot[] }) {
  const { severity, label, percent, growth_low: low, growth_high: high, day, cause, reason, outcome } = alert;
  const { word, Icon } = OUTCOMES.find((known) => known.outcome === outcome) ?? OUTCOMES[3];
  return (
    <li className={styles.item} style={{ ["--severity" as string]: getSeverityLevel(severity).color }}>
      <p className={styles.line}>
        <Severity severity={severity} />
        {label && <span className={styles.label}>{LABEL_WORDS[label]}</span>}
        <strong>
          <span className={styles.growth}>{formatGrowth(percent)}</span> in a day
        </strong>
        {low !== high && <span className={styles.more}>{formatGrowthRange(low, high)}</span>}
        <time className={styles.day} dateTime={day}>
          {formatDay(day)}
        </time>
      </p>
      <p dir="auto">{cause.text}</p>
      {outcome === null && reason && <p className={styles.more}>{reason}</p>}
      <p className={styles.line}>
        <span className={styles.outcome} data-outcome={outcome ?? undefined}>
          <Icon size={14} aria-hidden />
          {word}
        </span>
        <span>{outcome === null ? describeGrade(alert) : describeLater(alert, history)}</span>
      </p>
    </li>
  );
}

function describeGrade({ day, subscribers_before: before, subscribers_after: after }: Alert): string {
  const [week, month] = HORIZONS.map((days) => formatDay(addDays(day, days)));
  const needed = formatShortCount(computeHeldCount(before, after, HORIZONS[0]));
  return `Graded ${week} and ${month}. Held if it has ${needed} on ${week}.`;
}

/** `7 days later +14.1% more, 28 days later +22.6% more`, as far as those counts are kept. */
function describeLater({ day, subscribers_after: after }: Alert, history: readonly HistorySnapshot[]): string {
  const texts = HORIZONS.flatMap((days) => {
    const later = history.find((snapshot) => snapshot.day === addDays(day, days))?.subscribers ?? null;
    const percent = computeGrowthPercent(after, later);
    return percent === null ? [] : [`${days} days later ${formatGrowth(percent)}${percent > 0 ? " more" : ""}`];
  });
  return texts.length > 0 ? `${texts.join(", ")}.` : "";
}
