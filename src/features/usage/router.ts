import { router, signedInProcedure } from "@/features/procedures";
import { countRequests, listRequests } from "./request-log.service";
import { RequestFilter } from "./schema";
import { getUsageByDay, getUsageToday } from "./service";

export const usageRouter = router({
  today: signedInProcedure.query(({ ctx }) => getUsageToday(ctx, ctx.key)),
  byDay: signedInProcedure.query(({ ctx }) => getUsageByDay(ctx, ctx.key)),
  byEndpoint: signedInProcedure.query(({ ctx }) => countRequests(ctx, ctx.key.id)),
});

export const requestsRouter = router({
  list: signedInProcedure.input(RequestFilter).query(({ ctx, input }) => listRequests(ctx, ctx.key.id, input)),
});
