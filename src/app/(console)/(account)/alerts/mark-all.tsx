"use client";

import { Button } from "@mantine/core";
import { formatQuantity } from "@/core/format";
import type { InboxFilter } from "@/features/alerts/inbox.schema";
import { toast, toastFailure } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Undo } from "../../_ui/undo";
import { IN_ORDER } from "./use-mark-read";

/** Marks all filtered alerts as read and offers undo. */
export function MarkAll({ filter, isFiltered }: { filter: InboxFilter; isFiltered: boolean }) {
  const utils = trpc.useUtils();
  const unread = trpc.alerts.unread.useQuery().data?.unread ?? 0;
  const refresh = () => utils.alerts.invalidate();
  const markAll = trpc.alerts.markAll.useMutation({
    scope: IN_ORDER,
    onSuccess({ marked, at }) {
      if (marked === 0) return void toast("None of these alerts was unread");
      void toast(<Marked marked={marked} at={at} onUndone={refresh} />, "undo");
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

interface MarkedProps {
  marked: number;
  at: string;
  onUndone: () => void;
}

function Marked({ marked, at, onUndone }: MarkedProps) {
  const undo = trpc.alerts.undoMarkAll.useMutation({ onSuccess: onUndone });
  return (
    <Undo
      text={`Marked ${formatQuantity(marked, "alert")} as read.`}
      mutation={undo}
      undone={`${formatQuantity(marked, "alert")} unread again.`}
      onUndo={() => undo.mutate({ at })}
    />
  );
}
