import { router, signedInProcedure } from "@/features/procedures";
import { computeCoverage, getNextRunTime } from "./rules";
import { RunStatus } from "./schema";
import { getRunSummary } from "./service";

export const snapshotsRouter = router({
  status: signedInProcedure.output(RunStatus).query(async ({ ctx }) => {
    const run = await getRunSummary(ctx);
    return {
      last_run: run,
      coverage: run && computeCoverage(run),
      next_run_at: getNextRunTime(ctx.clock.now()).toISOString(),
    };
  }),
});
