import { ActionIcon, Anchor, Button, Group, Kbd, Title } from "@mantine/core";
import { IconCheck, IconSettings } from "@tabler/icons-react";
import Link from "next/link";
import { formatCount, formatQuantity, formatShare } from "@/core/format";
import type { InboxFilter } from "@/features/alerts/inbox.schema";
import type { InboxSummary } from "@/features/alerts/inbox.service";
import { LABEL_WORDS } from "@/features/alerts/rules";
import { toast, toastFailure } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Undo } from "../../_ui/undo";
import styles from "./alerts.module.css";
import { MARKS_IN_ORDER } from "./use-mark-read";

interface MarkAllProps {
  filter: InboxFilter;
  isFiltered: boolean;
  /** Whether the shown alerts are not yet those of the filter. */
  isSettling: boolean;
}

/** The head of the inbox: how many alerts are unread, its keys and its actions. */
export function InboxHead({ filter, isFiltered, isSettling }: MarkAllProps) {
  const unread = trpc.alerts.unread.useQuery().data?.unread ?? 0;
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
        {unread > 0 && <MarkAll filter={filter} isFiltered={isFiltered} isSettling={isSettling} />}
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

/** Marks all filtered alerts as read and offers undo. */
function MarkAll({ filter, isFiltered, isSettling }: MarkAllProps) {
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
    <Button
      variant="default"
      leftSection={<IconCheck size={16} aria-hidden />}
      disabled={isSettling}
      loading={markAll.isPending}
      onClick={() => markAll.mutate(filter)}
    >
      {isFiltered ? "Mark these read" : "Mark all read"}
    </Button>
  );
}
