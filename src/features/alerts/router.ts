import { router, signedInProcedure } from "@/features/procedures";
import {
  AllRead,
  Inbox,
  InboxFilter,
  InboxQuery,
  InboxSummary,
  ReadAnswer,
  ReadInput,
  UndoInput,
  Unread,
} from "./inbox.schema";
import { getInbox, listAlertCreators } from "./inbox.service";
import { countUnreadAlerts, markAlert, markAllRead, undoAllRead } from "./read.service";
import { AlertCreators, AlertPage, AlertQuery } from "./schema";
import { listAlerts } from "./service";
import { getInboxSummary } from "./summary.service";

export const alertsRouter = router({
  list: signedInProcedure
    .input(AlertQuery)
    .output(AlertPage)
    .query(({ ctx, input: { offset, limit, ...filter } }) => listAlerts(ctx, ctx.key.id, { offset, limit }, filter)),
  inbox: signedInProcedure
    .input(InboxQuery)
    .output(Inbox)
    .query(({ ctx, input: { offset, limit, ...filter } }) => getInbox(ctx, ctx.key.id, { offset, limit }, filter)),
  summary: signedInProcedure
    .input(InboxFilter)
    .output(InboxSummary)
    .query(({ ctx, input }) => getInboxSummary(ctx, ctx.key.id, input)),
  unread: signedInProcedure
    .output(Unread)
    .query(async ({ ctx }) => ({ unread: await countUnreadAlerts(ctx, ctx.key.id) })),
  mark: signedInProcedure
    .input(ReadInput)
    .output(ReadAnswer)
    .mutation(async ({ ctx, input: { id, is_read } }) => {
      await markAlert(ctx, ctx.key.id, id, is_read);
      return { is_read };
    }),
  markAll: signedInProcedure
    .input(InboxFilter)
    .output(AllRead)
    .mutation(({ ctx, input }) => markAllRead(ctx, ctx.key.id, input)),
  undoMarkAll: signedInProcedure
    .input(UndoInput)
    .output(Unread)
    .mutation(async ({ ctx, input }) => {
      await undoAllRead(ctx, ctx.key.id, input.at);
      return { unread: await countUnreadAlerts(ctx, ctx.key.id) };
    }),
  creators: signedInProcedure
    .output(AlertCreators)
    .query(async ({ ctx }) => ({ creators: await listAlertCreators(ctx, ctx.key.id) })),
});
