import { router, signedIn } from "@/features/procedures";
import {
  AllRead,
  Inbox,
  InboxFilter,
  InboxQuery,
  ReadAnswer,
  ReadInput,
  UndoInput,
  Unread,
} from "./inbox.schema";
import { alertCreators, alertInbox } from "./inbox.service";
import { markAlert, markAllRead, undoAllRead, unreadAlerts } from "./read.service";
import { AlertCreators, AlertPage, AlertQuery } from "./schema";
import { listAlerts } from "./service";

export const alertsRouter = router({
  list: signedIn
    .input(AlertQuery)
    .output(AlertPage)
    .query(({ ctx, input: { offset, limit, ...filter } }) =>
      listAlerts(ctx, ctx.key.id, { offset, limit }, filter),
    ),
  inbox: signedIn
    .input(InboxQuery)
    .output(Inbox)
    .query(({ ctx, input: { offset, limit, ...filter } }) =>
      alertInbox(ctx, ctx.key.id, { offset, limit }, filter),
    ),
  unread: signedIn.output(Unread).query(async ({ ctx }) => ({ unread: await unreadAlerts(ctx, ctx.key.id) })),
  mark: signedIn
    .input(ReadInput)
    .output(ReadAnswer)
    .mutation(async ({ ctx, input: { id, is_read } }) => {
      await markAlert(ctx, ctx.key.id, id, is_read);
      return { is_read };
    }),
  markAll: signedIn
    .input(InboxFilter)
    .output(AllRead)
    .mutation(({ ctx, input }) => markAllRead(ctx, ctx.key.id, input)),
  undoMarkAll: signedIn
    .input(UndoInput)
    .output(Unread)
    .mutation(async ({ ctx, input }) => {
      await undoAllRead(ctx, ctx.key.id, input.at);
      return { unread: await unreadAlerts(ctx, ctx.key.id) };
    }),
  creators: signedIn
    .output(AlertCreators)
    .query(async ({ ctx }) => ({ creators: await alertCreators(ctx, ctx.key.id) })),
});
