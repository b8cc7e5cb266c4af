import { router, signedIn } from "@/features/procedures";
import { UsageByDay, UsageToday } from "./schema";
import { usageByDay, usageToday } from "./service";

export const usageRouter = router({
  today: signedIn.output(UsageToday).query(({ ctx }) => usageToday(ctx, ctx.key)),
  byDay: signedIn.output(UsageByDay).query(({ ctx }) => usageByDay(ctx, ctx.key)),
});
