import { randomBytes } from "node:crypto";
import type { Inngest, InngestFunction } from "inngest";
import { serve } from "inngest/next";
import { toUtcDay } from "@/core/time";
import { takeLostCauses } from "@/features/alerts/cause.service";
import { createAlertJobs } from "@/features/alerts/jobs";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import { deleteComparisons } from "@/features/backtest/comparison.service";
import { createDiscoveryJobs } from "@/features/discovery/jobs";
import { alertCreated, causeRequested, createRetryEvent, renewalRequested, runRequested } from "@/features/events";
import { createDeliveryJobs } from "@/features/notifications/deliveries.jobs";
import { listHeld, takeStranded } from "@/features/notifications/deliveries.service";
import { createSandboxJobs } from "@/features/sandbox/jobs";
import { createRetentionJobs, createSnapshotJobs } from "@/features/snapshots/jobs";
import { purgeExpired, type Retention } from "@/features/snapshots/retention.service";
import { findRemainingWork } from "@/features/snapshots/service";
import { createVideoJobs } from "@/features/videos/jobs";
import { createJobClient, sendEvents } from "@/jobs/client";
import { Engine } from "@/jobs/engine";
import type { ServedJobs } from "@/jobs/protocol";
import { canCompareChannels, type ServiceContext } from "./context";

export interface RunningJobs {
  served: ServedJobs;
  requestRenewal(niche: string): Promise<void>;
  /** Does not fail when another service is away. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export type Jobs = Awaited<ReturnType<typeof createJobs>>;

export function createJobFunctions(inngest: Inngest, ctx: ServiceContext): InngestFunction.Any[] {
  const options = { creatorsPerStep: ctx.env.creatorsPerStep, mayCompare: canCompareChannels(ctx) };
  return [
    ...createSnapshotJobs(inngest, ctx, options),
    ...createRetentionJobs(inngest, ctx, getRetention(ctx)),
    ...createAlertJobs(inngest, ctx),
    ...createDeliveryJobs(inngest, ctx, canCompareChannels(ctx)),
    ...createDiscoveryJobs(inngest, ctx),
    ...createVideoJobs(inngest, ctx),
    ...createSandboxJobs(inngest, ctx),
  ];
}

export async function sendRenewal(inngest: Inngest, niche: string): Promise<void> {
  await inngest.send(renewalRequested.create({ niche }));
}

/** An unsigned call cannot make the functions register elsewhere. */
export function serveFunctions(
  client: Inngest,
  functions: InngestFunction.Any[],
  address: { serveOrigin?: string; servePath?: string } = {},
): ServedJobs {
  return serve({ client, functions, enableUnauthedSync: false, ...address });
}

function getRetention({ env }: ServiceContext): Retention {
  return { snapshotDays: env.snapshotRetentionDays, alertDays: env.alertRetentionDays };
}

/** The jobs on the embedded engine. */
export async function createJobs(ctx: ServiceContext) {
  // Only this process knows the key, so no other can call /api/inngest.
  const signingKey = `signkey-local-${randomBytes(32).toString("hex")}`;
  const engine = new Engine({ signingKey, clock: ctx.clock, log: ctx.log });
  const inngest = createJobClient({ ...engine.clientOptions, logger: ctx.log });
  const served = serveFunctions(inngest, createJobFunctions(inngest, ctx));
  await engine.register(served);

  /** Starts the readings of causes and the deliveries that wait and that no other process handles. */
  const deliverWaiting = async () => {
    const causes = (await takeLostCauses(ctx, 0)).map((risen) => causeRequested.create(risen));
    await sendEvents(inngest, causes);
    const waiting = [...(await takeStranded(ctx, 0)), ...(await listHeld(ctx))];
    await sendEvents(inngest, waiting.map(createRetryEvent));
  };
  return {
    engine,
    served,
    requestRun: async () => {
      const first = { day: toUtcDay(ctx.clock.now()), scope: "open" as const, plans: 0 };
      await inngest.send(runRequested.create((await findRemainingWork(ctx, 0)) ?? first));
    },
    requestRenewal: (niche: string) => sendRenewal(inngest, niche),
    deliverWaiting,
    /** Starts the deliveries of new alerts. */
    deliverAlerts: (alertIds: readonly string[]) =>
      sendEvents(
        inngest,
        alertIds.map((alertId) => alertCreated.create({ alertId })),
      ),
    /** Takes up what an earlier process left or missed: today's run, deliveries, the purge and the grading. */
    catchUp: async () => {
      // First, so a run that this process starts now is not mistaken for an unfinished one.
      const left = await findRemainingWork(ctx, 0);
      if (left) await inngest.send(runRequested.create(left));
      await deliverWaiting();
      await purgeExpired(ctx, getRetention(ctx));
      if (!canCompareChannels(ctx)) await deleteComparisons(ctx);
      await gradeAlerts(ctx);
    },
  };
}
