import { router, signedInProcedure } from "@/features/procedures";
import { RequestFilter } from "./request-log.schema";
import { listRequests } from "./request-log.service";
import { getUsageByDay, getUsageToday } from "./service";

export const usageRouter = router({
  today: signedInProcedure.query(({ ctx }) => getUsageToday(ctx, ctx.key)),
  byDay: signedInProcedure.query(({ ctx }) => getUsageByDay(ctx, ctx.key)),
});

export const requestsRouter = router({
  list: signedInProcedure.input(RequestFilter).query(({ ctx, input }) => listRequests(ctx, ctx.key.id, input)),
});
