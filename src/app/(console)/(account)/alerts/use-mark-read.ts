import { useQueryClient } from "@tanstack/react-query";
import type { InboxAlert } from "@/features/alerts/inbox.service";
import { toastFailure } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import type { toInboxQuery } from "./inbox-query";

/** Marks are sent in order, so the last one wins. */
export const MARKS_IN_ORDER = { id: "marks of alerts" };

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
