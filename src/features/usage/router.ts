import { router, signedInProcedure } from "@/features/procedures";
import { getUsageByDay, getUsageToday } from "./service";

export const usageRouter = router({
  today: signedInProcedure.query(({ ctx }) => getUsageToday(ctx, ctx.key)),
  byDay: signedInProcedure.query(({ ctx }) => getUsageByDay(ctx, ctx.key)),
});
