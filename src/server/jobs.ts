import { randomBytes } from "node:crypto";
import { serve } from "inngest/next";
import { createEngine, type Engine } from "@/core/engine/engine";
import { AppError } from "@/core/errors";
import {
  alertCreated,
  createJobClient,
  EVENTS_PER_SEND,
  inChunks,
  runRequested,
  type ServedJobs,
} from "@/core/jobs";
import { utcDay } from "@/core/time";
import { forgetComparisons } from "@/features/comparison/service";
import { deliveryJobs } from "@/features/deliveries/jobs";
import { takeStranded } from "@/features/deliveries/service";
import { snapshotJobs } from "@/features/snapshots/jobs";
import { purge, remainingScope } from "@/features/snapshots/service";
import { type AppContext, mayCompareChannels, type ServiceContext } from "./context";
import { readText } from "./input";

/** The service's jobs and what runs them. */
export interface Jobs {
  engine: Engine;
  served: ServedJobs;
  /** Asks for today's collection: all of it that is open. */
  requestRun(): Promise<void>;
  /** Starts the deliveries that wait, whoever left them. One that another process works on is left to it. */
  deliverWaiting(): Promise<void>;
  /**
   * Takes up what an earlier process left or missed: the purge, deliveries that wait, today's run where it is due and
   * not finished.
   * The queue is in memory, so whatever is open in the database has nobody working on it.
   */
  catchUp(): Promise<void>;
}

/** The most an engine sends to a function. */
const MAX_CALL_BYTES = 4 * 1024 * 1024;

/** Hands a call of a job engine to the served functions: only a signed one, and no more than an engine would send. */
export async function serveJobs({ jobs }: AppContext, request: Request): Promise<Response> {
  if (!request.headers.has("x-inngest-signature"))
    throw new AppError("unauthorized", "The call must be signed");
  const { url, method, headers } = request;
  if (method !== "POST" && method !== "PUT") return jobs.GET(request, undefined);
  const body = await readText(request, MAX_CALL_BYTES);
  return jobs[method](new Request(url, { method, headers, body }), undefined);
}

/** Registers all jobs with an embedded engine of their own. They run once the engine is started, drained or idled. */
export async function createJobs(ctx: ServiceContext): Promise<Jobs> {
  // Known to this process alone, so nobody else can call /api/inngest.
  const signingKey = `signkey-local-${randomBytes(32).toString("hex")}`;
  const engine = createEngine({ signingKey, clock: ctx.clock, log: ctx.log });
  const inngest = createJobClient({ ...engine.clientOptions, logger: ctx.log });
  const { creatorsPerStep, snapshotRetentionDays, alertRetentionDays } = ctx.env;
  const retention = { snapshotDays: snapshotRetentionDays, alertDays: alertRetentionDays };
  const functions = [
    ...snapshotJobs(inngest, ctx, { creatorsPerStep, retention, mayCompare: mayCompareChannels(ctx) }),
    ...deliveryJobs(inngest, ctx),
  ];
  const served: ServedJobs = serve({ client: inngest, functions, enableUnauthedSync: false });
  await engine.register(served);

  const requestRun = async () => {
    await inngest.send(runRequested.create({ day: utcDay(ctx.clock.now()), scope: "open" }));
  };
  const deliverWaiting = async () => {
    for (const alertIds of inChunks(await takeStranded(ctx, 0), EVENTS_PER_SEND))
      await inngest.send(alertIds.map((alertId) => alertCreated.create({ alertId })));
  };
  return {
    engine,
    served,
    requestRun,
    deliverWaiting,
    catchUp: async () => {
      await purge(ctx, retention);
      if (!mayCompareChannels(ctx)) await forgetComparisons(ctx);
      await deliverWaiting();
      if (await remainingScope(ctx, 0)) await requestRun();
    },
  };
}
