"use client";

import { Button, Group, Text } from "@mantine/core";
import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import type { KeyboardEvent } from "react";
import { formatCurl } from "@/app/curl";
import { formatQuantity } from "@/core/format";
import type { InboxAlert, InboxFilter } from "@/features/alerts/inbox.schema";
import { toast, toastFailure } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { EmptyState, NoMatches } from "../../_ui/empty-state";
import { Pager } from "../../_ui/pager";
import { QueryState, SkeletonRows } from "../../_ui/query-state";
import { Undo } from "../../_ui/undo";
import { AlertRow } from "./alert-row";
import styles from "./alerts.module.css";
import { Filters } from "./filters";
import { DEFAULTS, type InboxState, toFilter, toInboxQuery } from "./inbox-query";

/** The key's alerts, newest first. The server filters and pages; the URL holds the state. */
export function Inbox({ appUrl }: { appUrl: string }) {
  const [state, change] = useUrlState(DEFAULTS);
  const filter = toFilter(state);
  const query = toInboxQuery(state);
  const inbox = trpc.alerts.inbox.useQuery(query, { placeholderData: keepPreviousData });
  const isFiltered = Object.values(filter).some((value) => value !== null && value !== false);
  return (
    <>
      <div className={styles.tools}>
        <Filters filter={filter} change={change} />
        <MarkAll filter={filter} isFiltered={isFiltered} />
      </div>
      <QueryState query={inbox} skeleton={<SkeletonRows count={6} height={52} />}>
        {({ alerts, pagination }) =>
          alerts.length === 0 ? (
            <NoAlerts isFiltered={isFiltered || query.offset > 0} clear={() => change(DEFAULTS)} appUrl={appUrl} />
          ) : (
            <>
              <Rows alerts={alerts} state={state} change={change} />
              <Group justify="space-between" mt="md">
                <Text size="sm" c="dimmed" role="status">
                  {formatQuantity(pagination.total, "alert")}
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

interface RowsProps {
  alerts: readonly InboxAlert[];
  state: InboxState;
  change: (change: Partial<InboxState>, how?: "push" | "replace") => void;
}

function Rows({ alerts, state, change }: RowsProps) {
  const read = useMarkRead(toInboxQuery(state));
  const muted = trpc.mutes.all.useQuery().data?.creators ?? [];
  const toggle = (alert: InboxAlert) => {
    const isOpen = state.open === alert.id;
    change({ open: isOpen ? "" : alert.id }, "replace");
    if (!isOpen) read(alert, true);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>) => {
    const { key, target, currentTarget } = event;
    if (!(target instanceof HTMLElement) || !target.dataset.alert || event.metaKey || event.ctrlKey) return;
    const step = STEPS[key];
    const alert = alerts.find(({ id }) => id === target.dataset.alert);
    if (step) {
      const rows = [...currentTarget.querySelectorAll<HTMLElement>("[data-alert]")];
      rows[rows.indexOf(target) + step]?.focus();
    } else if (key === "u" && alert) read(alert, !alert.is_read);
    else return;
    event.preventDefault();
  };
  return (
    <ol className={styles.list} onKeyDown={onKeyDown}>
      {alerts.map((alert) => (
        <AlertRow
          key={alert.id}
          alert={alert}
          isOpen={state.open === alert.id}
          isMuted={muted.some(({ channel_id }) => channel_id === alert.channel_id)}
          onToggle={() => toggle(alert)}
          onRead={(isRead) => read(alert, isRead)}
          onSeverity={() => change({ severity: alert.severity, page: "1" })}
        />
      ))}
    </ol>
  );
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Marks all filtered alerts as read and offers undo. */
function MarkAll({ filter, isFiltered }: { filter: InboxFilter; isFiltered: boolean }) {
  const utils = trpc.useUtils();
  const unread = trpc.alerts.unread.useQuery().data?.unread ?? 0;
  const refresh = () => utils.alerts.invalidate();
  const markAll = trpc.alerts.markAll.useMutation({
    scope: IN_ORDER,
    onSuccess({ marked, at }) {
      if (marked === 0) return void toast("None of these alerts was unread");
      const alerts = formatQuantity(marked, "alert");
      const undo = () => utils.client.alerts.undoMarkAll.mutate({ at }).then(refresh);
      const describe = () => `${alerts} unread again.`;
      void toast(<Undo text={`Marked ${alerts} as read.`} undo={undo} describe={describe} />, "undo");
    },
    onError: toastFailure,
    onSettled: refresh,
  });
  if (unread === 0) return null;
  return (
    <Button variant="default" size="xs" loading={markAll.isPending} onClick={() => markAll.mutate(filter)}>
      {isFiltered ? "Mark these as read" : "Mark all as read"}
    </Button>
  );
}

function NoAlerts({ isFiltered, clear, appUrl }: { isFiltered: boolean; clear: () => void; appUrl: string }) {
  if (isFiltered) return <NoMatches order={2} title="No alerts match" text="Try fewer filters." clear={clear} />;
  return (
    <EmptyState
      order={2}
      title="No alerts yet"
      text="You get an alert when a tracked creator grows more than 10% in a day. We read counts daily at 06:00 UTC."
      command={formatCurl(`${appUrl}/api/alerts`)}
    >
      <Button component={Link} href="/discover">
        Find creators to track
      </Button>
    </EmptyState>
  );
}

/** Marks are sent in order, so the last one wins. */
const IN_ORDER = { id: "marks of alerts" };

/** Marks an alert as read or unread. Optimistic; reverts on error. */
function useMarkRead(query: ReturnType<typeof toInboxQuery>) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const isLast = () => queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === IN_ORDER.id }) === 1;
  const show = (id: string, isRead: boolean) => {
    const setRead = (alert: InboxAlert) => (alert.id === id ? { ...alert, is_read: isRead } : alert);
    utils.alerts.inbox.setData(query, (page) => page && { ...page, alerts: page.alerts.map(setRead) });
    utils.alerts.unread.setData(undefined, (old) => old && { unread: old.unread + (isRead ? -1 : 1) });
  };
  const { mutate } = trpc.alerts.mark.useMutation({
    scope: IN_ORDER,
    onMutate: ({ id, is_read }) => show(id, is_read),
    onError(error, { id, is_read }) {
      show(id, !is_read);
      toastFailure(error);
    },
    onSettled: () => (isLast() ? utils.alerts.unread.invalidate() : undefined),
  });
  return (alert: Pick<InboxAlert, "id" | "is_read">, isRead: boolean) => {
    if (alert.is_read !== isRead) mutate({ id: alert.id, is_read: isRead });
  };
}
