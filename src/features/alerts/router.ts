import { router, signedInProcedure } from "@/features/procedures";
import {
  countUnreadAlerts,
  getInbox,
  getInboxSummary,
  listAlertCreators,
  markAlert,
  markAllRead,
  undoAllRead,
} from "./inbox.service";
import { InboxFilter, InboxQuery, ReadInput, UndoInput } from "./query.schema";
import { AlertQuery } from "./schema";
import { listAlerts } from "./service";

export const alertsRouter = router({
  list: signedInProcedure
    .input(AlertQuery)
    .query(({ ctx, input: { offset, limit, ...filter } }) => listAlerts(ctx, ctx.key.id, { offset, limit }, filter)),
  inbox: signedInProcedure
    .input(InboxQuery)
    .query(({ ctx, input: { offset, limit, ...filter } }) => getInbox(ctx, ctx.key.id, { offset, limit }, filter)),
  summary: signedInProcedure.input(InboxFilter).query(({ ctx, input }) => getInboxSummary(ctx, ctx.key.id, input)),
  unread: signedInProcedure.query(async ({ ctx }) => ({ unread: await countUnreadAlerts(ctx, ctx.key.id) })),
  mark: signedInProcedure.input(ReadInput).mutation(async ({ ctx, input: { id, is_read } }) => {
    await markAlert(ctx, ctx.key.id, id, is_read);
    return { is_read };
  }),
  markAll: signedInProcedure.input(InboxFilter).mutation(({ ctx, input }) => markAllRead(ctx, ctx.key.id, input)),
  undoMarkAll: signedInProcedure.input(UndoInput).mutation(async ({ ctx, input }) => {
    await undoAllRead(ctx, ctx.key.id, input.at);
    return { unread: await countUnreadAlerts(ctx, ctx.key.id) };
  }),
  creators: signedInProcedure.query(async ({ ctx }) => ({ creators: await listAlertCreators(ctx, ctx.key.id) })),
});
