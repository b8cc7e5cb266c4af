import { and, eq, isNull } from "drizzle-orm";
import { getErrorMessage } from "@/core/errors";
import type { Heartbeat } from "@/core/mail/monitoring";
import { toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { snapshotRuns } from "@/db/schema";
import { isCovered } from "./monitor.rules";
import { getRunSummary } from "./service";

export interface HeartbeatContext extends CoreContext {
  /** Null where no address is set. */
  heartbeat: Heartbeat | null;
}

/**
 * Requests the heartbeat address once today's run is complete, so that something outside notices when it never is. The run
 * monitor repeats a request that failed. A crash between the answer and the stored mark requests it twice.
 */
export async function sendHeartbeat({ heartbeat, ...ctx }: HeartbeatContext): Promise<void> {
  if (!heartbeat) return;
  const { db, clock, log } = ctx;
  const day = toUtcDay(clock.now());
  const run = await getRunSummary(ctx, day);
  if (!run?.finished_at || !isCovered(run)) return;
  await db
    .transaction(async (tx) => {
      const [due] = await tx
        .select({ day: snapshotRuns.day })
        .from(snapshotRuns)
        .where(and(eq(snapshotRuns.day, day), isNull(snapshotRuns.heartbeatAt)))
        .for("update", { skipLocked: true });
      if (!due) return;
      await heartbeat.send();
      await tx.update(snapshotRuns).set({ heartbeatAt: clock.now() }).where(eq(snapshotRuns.day, day));
    })
    .catch((error) => log.warn({ day, problem: getErrorMessage(error) }, "the heartbeat failed"));
}
