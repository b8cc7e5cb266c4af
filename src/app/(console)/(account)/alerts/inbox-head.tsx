import { ActionIcon, Anchor, Button, Group, Kbd, Title } from "@mantine/core";
import { IconCheck, IconSettings } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { formatCount, formatQuantity, formatShare } from "@/core/format";
import type { InboxAlert, InboxSummary } from "@/features/alerts/inbox.service";
import type { InboxFilter } from "@/features/alerts/query.schema";
import { LABEL_WORDS } from "@/features/alerts/rules";
import { toast, toastFailure } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Undo } from "../../_ui/undo";
import styles from "./alerts.module.css";
import type { toInboxQuery } from "./inbox-query";

interface InboxHeadProps {
  filter: InboxFilter;
  isFiltered: boolean;
  /** Whether the shown alerts are not yet those of the filter. */
  isSettling: boolean;
}

/** The head of the inbox: how many alerts are unread, its keys and its actions. */
export function InboxHead({ filter, isFiltered, isSettling }: InboxHeadProps) {
  const unread = trpc.alerts.unread.useQuery().data?.unread ?? 0;
  const utils = trpc.useUtils();
  const refresh = () => utils.alerts.invalidate();
  const markAll = trpc.alerts.markAll.useMutation({
    scope: MARKS_IN_ORDER,
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
  return (
    <header className={styles.head}>
      <Title order={1} size="h2">
        Alerts
      </Title>
      {unread > 0 && <span className={styles.unread}>{formatCount(unread)} unread</span>}
      <span className={styles.keys}>
        <Kbd>J</Kbd> <Kbd>K</Kbd> next, previous <Kbd>?</Kbd> all keys
      </span>
      <Group gap="xs" ml="auto" wrap="nowrap">
        {unread > 0 && (
          <Button
            variant="default"
            leftSection={<IconCheck size={16} aria-hidden />}
            disabled={isSettling}
            loading={markAll.isPending}
            onClick={() => markAll.mutate(filter)}
          >
            {isFiltered ? "Mark these read" : "Mark all read"}
          </Button>
        )}
        <ActionIcon component={Link} href="/settings" variant="default" size={34} title="Email settings">
          <IconSettings size={16} aria-hidden />
          <span className="visually-hidden">Email settings</span>
        </ActionIcon>
      </Group>
    </header>
  );
}

/** How the key's earlier alerts turned out: how far to trust the next one. */
export function TrackRecord({ record }: Pick<InboxSummary, "record">) {
  const graded = record.reduce((sum, each) => sum + each.graded, 0);
  const held = record.reduce((sum, each) => sum + each.held, 0);
  return (
    <p className={styles.record}>
      {graded === 0 ? (
        <span>None of your alerts is graded yet. The first grade comes 7 days after an alert.</span>
      ) : (
        <span>
          <strong>
            {formatCount(held)} of {formatCount(graded)}
          </strong>{" "}
          graded alerts kept growing for 7 days ({formatShare(Math.round((held / graded) * 100) / 100)}).
        </span>
      )}
      {record.map(
        ({ label, ...each }) =>
          label && (
            <span key={label}>
              {LABEL_WORDS[label]}:{" "}
              <strong>
                {formatCount(each.held)} of {formatCount(each.graded)}
              </strong>
            </span>
          ),
      )}
      <Anchor href="/accuracy" inherit fw={500}>
        Record of all alerts
      </Anchor>
    </p>
  );
}

/** Marks are sent in order, so the last one wins. */
const MARKS_IN_ORDER = { id: "marks of alerts" };

/** Marks an alert as read or unread. Optimistic; reverts on error. */
export function useMarkRead(query: ReturnType<typeof toInboxQuery>) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const isLast = () =>
    queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === MARKS_IN_ORDER.id }) === 1;
  const show = (id: string, isRead: boolean) => {
    const setRead = (alert: InboxAlert) => (alert.id === id ? { ...alert, is_read: isRead } : alert);
    utils.alerts.inbox.setData(query, (page) => page && { ...page, alerts: page.alerts.map(setRead) });
    utils.alerts.unread.setData(undefined, (old) => old && { unread: old.unread + (isRead ? -1 : 1) });
  };
  const { mutate } = trpc.alerts.mark.useMutation({
    scope: MARKS_IN_ORDER,
    onMutate: ({ id, is_read }) => show(id, is_read),
    onError(error, { id, is_read }) {
      show(id, !is_read);
      toastFailure(error);
    },
    onSettled: () =>
      isLast() ? Promise.all([utils.alerts.unread.invalidate(), utils.alerts.summary.invalidate()]) : undefined,
  });
  return (alert: Pick<InboxAlert, "id" | "is_read">, isRead: boolean) => {
    if (alert.is_read !== isRead) mutate({ id: alert.id, is_read: isRead });
  };
}
