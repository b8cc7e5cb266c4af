"use client";

import { Button, Group, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { groups } from "d3-array";
import Link from "next/link";
import { formatCurl } from "@/app/curl";
import { formatDay, formatMonth, formatQuantity } from "@/core/format";
import { addDays, type Day } from "@/core/time";
import type { InboxAlert, InboxSummary } from "@/features/alerts/inbox.service";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { EmptyState, NoMatches } from "../../_ui/empty-state";
import { Pager } from "../../_ui/pager";
import { QueryState, SkeletonRows } from "../../_ui/query-state";
import { AlertRow } from "./alert-row";
import styles from "./alerts.module.css";
import { Filters } from "./filters";
import { InboxHead, TrackRecord, useMarkRead } from "./inbox-head";
import { DEFAULTS, type InboxState, toFilter, toInboxQuery } from "./inbox-query";

/** The key's alerts, newest first. The server filters and pages; the URL holds the state. */
export function Inbox({ appUrl, today, isSample }: { appUrl: string; today: Day; isSample: boolean }) {
  const [state, change] = useUrlState(DEFAULTS);
  const filter = toFilter(state);
  const query = toInboxQuery(state);
  const inbox = trpc.alerts.inbox.useQuery(query, { placeholderData: keepPreviousData });
  const { data: summary } = trpc.alerts.summary.useQuery(filter, { placeholderData: keepPreviousData });
  const isFiltered = Object.values(filter).some(Boolean);
  const hasAlerts = summary && summary.total > 0;
  return (
    <>
      <InboxHead filter={filter} isFiltered={isFiltered} isSettling={inbox.isPlaceholderData} />
      {hasAlerts && (
        <>
          <TrackRecord record={summary.record} />
          <Filters filter={filter} isFiltered={isFiltered} summary={summary} change={change} />
        </>
      )}
      <QueryState query={inbox} skeleton={<SkeletonRows count={6} height={56} />}>
        {({ alerts, pagination }) =>
          alerts.length === 0 && (isFiltered || query.offset > 0) ? (
            <NoMatches title="No alerts match" text="Try fewer filters." clear={() => change(DEFAULTS)} />
          ) : alerts.length === 0 ? (
            <EmptyState
              title="No alerts yet"
              text="You get an alert when a tracked creator grows more than 10% in a day. We read counts daily at 06:00 UTC."
              command={formatCurl(`${appUrl}/api/alerts`)}
            >
              <Button component={Link} href="/discover">
                Find creators to track
              </Button>
            </EmptyState>
          ) : (
            <>
              <Rows alerts={alerts} state={state} today={today} record={summary?.record ?? []} change={change} />
              <Group justify="space-between" mt="md" gap="xs">
                <Text size="sm" c="dimmed">
                  <span role="status">{formatQuantity(pagination.total, "alert")}</span>.{" "}
                  {isSample ? "Counts are sample data" : "Counts come from YouTube"}; growth, severity, cause, outlook
                  and outcome are calculated by us.
                </Text>
                <Pager {...pagination} onPage={(next) => change({ page: String(next), open: "" })} />
              </Group>
            </>
          )
        }
      </QueryState>
    </>
  );
}

/** The columns of rows. Readers hear the name of each cell in its row instead. */
const HEADS = ["", "Severity", "Creator", "In one day", "Outlook", "Likely cause", "After 7 d", "28 d", "Alerted"];

interface RowsProps extends Pick<InboxSummary, "record"> {
  alerts: readonly InboxAlert[];
  state: InboxState;
  today: Day;
  change: (change: Partial<InboxState>, how?: "push" | "replace") => void;
}

function Rows({ alerts, state, today, record, change }: RowsProps) {
  const read = useMarkRead(toInboxQuery(state));
  const muted = trpc.mutes.all.useQuery().data?.creators ?? [];
  const toggle = (alert: InboxAlert) => {
    const isOpen = state.open === alert.id;
    change({ open: isOpen ? "" : alert.id }, "replace");
    if (!isOpen) read(alert, true);
  };
  const toggleRead = () => {
    const alert = alerts.find(({ id }) => id === findCurrentRow()?.dataset.alert);
    if (alert) read(alert, !alert.is_read);
  };
  useHotkeys([
    ["j", () => focusRow(1)],
    ["k", () => focusRow(-1)],
    ["u", toggleRead],
  ]);
  return (
    <>
      <div className={`${styles.row} ${styles.heads}`} aria-hidden>
        {HEADS.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      {groupByDay(alerts, today).map(({ title, alerts: group }) => (
        <section key={title} aria-labelledby={title}>
          <h2 className={styles.day}>
            <span id={title}>{title}</span> <small>{formatContent(group)}</small>
          </h2>
          <ol>
            {group.map((alert) => (
              <AlertRow
                key={alert.id}
                alert={alert}
                today={today}
                record={record.find(({ label }) => label === alert.label)}
                isOpen={state.open === alert.id}
                isMuted={muted.some(({ channel_id }) => channel_id === alert.channel_id)}
                onToggle={() => toggle(alert)}
                onRead={(isRead) => read(alert, isRead)}
              />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** The row that has the focus, itself or in its details. */
function findCurrentRow(): HTMLElement | null {
  return document.activeElement?.closest("li")?.querySelector<HTMLElement>("[data-alert]") ?? null;
}

/** Focuses the next or previous row, the first or last without a current one; never behind a dialog. */
function focusRow(step: 1 | -1): void {
  if (document.activeElement?.closest("[role=dialog]")) return;
  const rows = [...document.querySelectorAll<HTMLElement>("[data-alert]")];
  const current = findCurrentRow();
  const next = current ? rows[rows.indexOf(current) + step] : rows.at(step === 1 ? 0 : -1);
  next?.focus();
}

/** Groups alerts by day for today and yesterday, and by month before. @param alerts newest first */
export function groupByDay(alerts: readonly InboxAlert[], today: Day) {
  const byTitle = groups(alerts, ({ day }) => formatTitle(day, today));
  return byTitle.map(([title, group]) => ({ title, alerts: group }));
}

function formatTitle(day: Day, today: Day): string {
  if (day === today) return `Today, ${formatDay(day)}`;
  if (day === addDays(today, -1)) return `Yesterday, ${formatDay(day)}`;
  const [month = "", year] = formatMonth(day).split(" ");
  if (day.slice(0, 7) === today.slice(0, 7)) return `Earlier in ${month}`;
  return year === today.slice(0, 4) ? month : `${month} ${year}`;
}

/** `2 alerts, both unread`. */
export function formatContent(alerts: readonly InboxAlert[]): string {
  const unread = alerts.filter(({ is_read }) => !is_read).length;
  const all = formatQuantity(alerts.length, "alert");
  if (unread === 0) return all;
  if (unread < alerts.length) return `${all}, ${unread} unread`;
  return `${all}, ${["", "unread", "both unread"][unread] ?? "all unread"}`;
}
