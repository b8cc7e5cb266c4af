import { router, signedInProcedure } from "@/features/procedures";
import { UsageByDay, UsageToday } from "./schema";
import { getUsageByDay, getUsageToday } from "./service";

export const usageRouter = router({
  today: signedInProcedure.output(UsageToday).query(({ ctx }) => getUsageToday(ctx, ctx.key)),
  byDay: signedInProcedure.output(UsageByDay).query(({ ctx }) => getUsageByDay(ctx, ctx.key)),
});
