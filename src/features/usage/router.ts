import { router, signedInProcedure } from "@/features/procedures";
import { UsageByEndpoint } from "./request-log.schema";
import { countRequests } from "./request-log.service";
import { UsageByDay, UsageToday } from "./schema";
import { getUsageByDay, getUsageToday } from "./service";

export const usageRouter = router({
  today: signedInProcedure.output(UsageToday).query(({ ctx }) => getUsageToday(ctx, ctx.key)),
  byDay: signedInProcedure.output(UsageByDay).query(({ ctx }) => getUsageByDay(ctx, ctx.key)),
  byEndpoint: signedInProcedure.output(UsageByEndpoint).query(({ ctx }) => countRequests(ctx, ctx.key.id)),
});
