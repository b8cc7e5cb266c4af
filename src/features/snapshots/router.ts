import { router, signedIn } from "@/features/procedures";
import { coverage, nextRunAt } from "./rules";
import { RunStatus } from "./schema";
import { runSummary } from "./service";

export const snapshotsRouter = router({
  status: signedIn.output(RunStatus).query(async ({ ctx }) => {
    const run = await runSummary(ctx);
    return {
      last_run: run,
      coverage: run && coverage(run),
      next_run_at: nextRunAt(ctx.clock.now()).toISOString(),
    };
  }),
});
