"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { Inbox, InboxAlert } from "@/features/alerts/inbox.schema";
import { failureOf } from "../../_client/failure";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import type { inboxQueryOf } from "./inbox-query";

/** Marks reach the service one after the other, so that the last one wins. */
export const IN_ORDER = { id: "marks of alerts" };

/** Marks an alert of the shown page as read or unread. It shows at once, and goes back when the service refuses. */
export function useReading(query: ReturnType<typeof inboxQueryOf>) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const isLast = () =>
    queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === IN_ORDER.id }) === 1;
  const show = (id: string, isRead: boolean) => {
    utils.alerts.inbox.setData(query, (page) => page && withRead(page, id, isRead));
    utils.alerts.unread.setData(undefined, (old) => old && { unread: old.unread + (isRead ? -1 : 1) });
  };
  const { mutate } = trpc.alerts.mark.useMutation({
    scope: IN_ORDER,
    onMutate: ({ id, is_read }) => show(id, is_read),
    onError(error, { id, is_read }) {
      show(id, !is_read);
      void toast(failureOf(error).message, "failed");
    },
    onSettled: () => (isLast() ? utils.alerts.unread.invalidate() : undefined),
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
