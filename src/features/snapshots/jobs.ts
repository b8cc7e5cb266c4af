import { cron, type Inngest, NonRetriableError, RetryAfterError } from "inngest";
import { z } from "zod";
import { errorMessage } from "@/core/errors";
import { alertCreated, batchPlanned, runRequested } from "@/core/jobs";
import { instant, SECOND, utcDay } from "@/core/time";
import { type ChannelReading, type PlatformContext, PlatformError } from "@/platform/port";
import {
  closeRun,
  DayOverError,
  failBatch,
  finishBatch,
  planRun,
  purge,
  readBatch,
  recordDaily,
  remainingScope,
} from "./service";

interface SnapshotJobOptions {
  /** Channels stored by one step: more make fewer steps, one keeps each channel's failure to itself. */
  creatorsPerStep: number;
  retention: { snapshotDays: number; alertDays: number | null };
}

/** The most events one call may send. */
const EVENTS_PER_SEND = 5000;

/** What a schedule's event carries; the SDK's types promise less. */
const Scheduled = z.object({ scheduledAt: z.iso.datetime() });

/** The functions of the daily run: planner, batches, second chance and retention. */
export function snapshotJobs(inngest: Inngest, ctx: PlatformContext, options: SnapshotJobOptions) {
  return [
    planDay(inngest, ctx),
    snapshotBatch(inngest, ctx, options),
    retryFailed(inngest, ctx),
    purgeDaily(inngest, ctx, options),
  ];
}

function planDay(inngest: Inngest, ctx: PlatformContext) {
  return inngest.createFunction(
    { id: "plan-day", triggers: [cron("TZ=UTC 0 6 * * *"), runRequested], retries: 5 },
    async ({ event, step }) => {
      const { day, scope } = requestOf(event);
      const { plan, batches } = await step.run("plan", () => planRun(ctx, day, scope));
      for (let from = 0; from < batches.length; from += EVENTS_PER_SEND) {
        const events = batches
          .slice(from, from + EVENTS_PER_SEND)
          .map((batch) => batchPlanned.create({ day, batch }, { id: `snapshot:${day}:${batch}:${plan}` }));
        await step.sendEvent(`send-${from}`, events);
      }
      if (batches.length === 0) await step.run("close", () => closeRun(ctx, day));
    },
  );
}

function snapshotBatch(inngest: Inngest, ctx: PlatformContext, { creatorsPerStep }: SnapshotJobOptions) {
  return inngest.createFunction(
    {
      id: "snapshot-batch",
      triggers: [batchPlanned],
      retries: 3,
      concurrency: { scope: "env", key: '"platform"', limit: 10 },
      onFailure: async ({ error, event }) => {
        const { day, batch } = event.data.event.data;
        ctx.log.error({ day, batch, problem: error.message }, "a batch could not be read");
        await failBatch(ctx, day, batch, error.message);
        await closeRun(ctx, day);
      },
    },
    async ({ event, step }) => {
      const { day, batch } = event.data;
      const readings = await step.run("fetch", () => fetchBatch(ctx, day, batch));
      const alertIds: string[] = [];
      for (let from = 0; from < readings.length; from += creatorsPerStep) {
        const chunk = readings.slice(from, from + creatorsPerStep);
        const id = chunk[0]?.channelId;
        try {
          alertIds.push(...(await step.run(`snapshot:${id}`, () => storeChunk(ctx, day, chunk))));
        } catch (error) {
          // After this step's own retries; the other creators go on.
          await step.run(`failed:${id}`, () => logFailed(ctx, day, chunk, error));
        }
      }
      if (alertIds.length > 0)
        await step.sendEvent(
          "alerts",
          alertIds.map((alertId) => alertCreated.create({ alertId }, { id: `alert:${alertId}` })),
        );
      await step.run("finish", async () => {
        await finishBatch(
          ctx,
          day,
          batch,
          readings.map(({ channelId }) => channelId),
        );
        await closeRun(ctx, day);
      });
    },
  );
}

/** Gives batches of today that failed another chance, for as long as the day lasts. */
function retryFailed(inngest: Inngest, ctx: PlatformContext) {
  return inngest.createFunction(
    { id: "retry-failed", triggers: [cron("TZ=UTC */30 * * * *")], retries: 1 },
    async ({ step }) => {
      const day = await step.run("look", async () =>
        (await remainingScope(ctx)) === "failed" ? utcDay(ctx.clock.now()) : null,
      );
      if (day) await step.sendEvent("request", runRequested.create({ day, scope: "failed" }));
    },
  );
}

function purgeDaily(inngest: Inngest, ctx: PlatformContext, { retention }: SnapshotJobOptions) {
  return inngest.createFunction(
    { id: "purge-daily", triggers: [cron("TZ=UTC 0 5 * * *")], retries: 3 },
    ({ step }) => step.run("purge", () => purge(ctx, retention)),
  );
}

/** Reads a batch, telling the engine when a retry makes sense and when none does. */
async function fetchBatch(ctx: PlatformContext, day: string, batch: number): Promise<ChannelReading[]> {
  try {
    return await readBatch(ctx, day, batch);
  } catch (error) {
    if (error instanceof PlatformError && error.retryAfter)
      throw new RetryAfterError(`${error.failure}: ${error.detail}`, error.retryAfter * SECOND, {
        cause: error,
      });
    throw finalIfDayOver(error);
  }
}

async function storeChunk(ctx: PlatformContext, day: string, chunk: ChannelReading[]): Promise<string[]> {
  return recordDaily(ctx, day, chunk).catch((error) => {
    throw finalIfDayOver(error);
  });
}

function finalIfDayOver(error: unknown): unknown {
  return error instanceof DayOverError ? new NonRetriableError(error.message, { cause: error }) : error;
}

function logFailed({ log }: PlatformContext, day: string, chunk: ChannelReading[], error: unknown): void {
  const channelIds = chunk.map(({ channelId }) => channelId);
  log.error({ day, channelIds, problem: errorMessage(error) }, "readings could not be stored");
}

/** What a planner event asks for: what it says, or all of the day of the schedule it comes from. */
function requestOf(event: { data: unknown; ts?: number | undefined }) {
  const requested = runRequested.schema.safeParse(event.data);
  if (requested.success) return requested.data;
  const scheduled = Scheduled.safeParse(event.data);
  const at = instant(scheduled.success ? scheduled.data.scheduledAt : (event.ts ?? Number.NaN));
  return { day: utcDay(at), scope: "open" as const };
}
