import { router, signedInProcedure } from "@/features/procedures";
import { computeCoverage, getNextRunTime, isRunOverdue } from "./rules";
import { getRunSummary } from "./service";

export const snapshotsRouter = router({
  status: signedInProcedure.query(async ({ ctx }) => {
    const run = await getRunSummary(ctx);
    return {
      last_run: run,
      run_overdue: isRunOverdue(run, ctx.clock.now()),
      coverage: run && computeCoverage(run),
      next_run_at: getNextRunTime(ctx.clock.now()).toISOString(),
    };
  }),
});
