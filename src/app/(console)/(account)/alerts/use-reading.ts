"use client";

import type { Inbox, InboxAlert } from "@/features/alerts/inbox.schema";
import { failureOf } from "../../_client/failure";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import type { inboxQueryOf } from "./inbox-query";

/** Marks an alert of the shown page as read or unread. It shows at once, and goes back when the service refuses. */
export function useReading(query: ReturnType<typeof inboxQueryOf>) {
  const utils = trpc.useUtils();
  const show = (id: string, isRead: boolean) => {
    utils.alerts.inbox.setData(query, (page) => page && withRead(page, id, isRead));
    utils.alerts.unread.setData(undefined, (old) => old && { unread: old.unread + (isRead ? -1 : 1) });
  };
  const { mutate } = trpc.alerts.mark.useMutation({
    onMutate: ({ id, is_read }) => show(id, is_read),
    onError(error, { id, is_read }) {
      show(id, !is_read);
      void toast(failureOf(error).message, "failed");
    },
    onSettled: () => utils.alerts.unread.invalidate(),
  });
  return (alert: Pick<InboxAlert, "id" | "is_read">, isRead: boolean) => {
    if (alert.is_read !== isRead) mutate({ id: alert.id, is_read: isRead });
  };
}

function withRead(page: Inbox, id: string, isRead: boolean): Inbox {
  return {
    ...page,
    alerts: page.alerts.map((alert) => (alert.id === id ? { ...alert, is_read: isRead } : alert)),
  };
}
