import { router, signedIn } from "@/core/trpc";
import { AlertPage, AlertQuery } from "./schema";
import { listAlerts } from "./service";

export const alertsRouter = router({
  list: signedIn
    .input(AlertQuery)
    .output(AlertPage)
    .query(({ ctx, input: { offset, limit, ...filter } }) =>
      listAlerts(ctx, ctx.key.id, { offset, limit }, filter),
    ),
});
