import { router, signedIn } from "@/features/procedures";
import { alertCreators, alertInbox } from "./inbox.service";
import { AlertCreators, AlertPage, AlertQuery, Inbox } from "./schema";
import { listAlerts } from "./service";

export const alertsRouter = router({
  list: signedIn
    .input(AlertQuery)
    .output(AlertPage)
    .query(({ ctx, input: { offset, limit, ...filter } }) =>
      listAlerts(ctx, ctx.key.id, { offset, limit }, filter),
    ),
  inbox: signedIn
    .input(AlertQuery)
    .output(Inbox)
    .query(({ ctx, input: { offset, limit, ...filter } }) =>
      alertInbox(ctx, ctx.key.id, { offset, limit }, filter),
    ),
  creators: signedIn
    .output(AlertCreators)
    .query(async ({ ctx }) => ({ creators: await alertCreators(ctx, ctx.key.id) })),
});
