import { cron, type Inngest, NonRetriableError, RetryAfterError } from "inngest";
import { z } from "zod";
import { errorMessage } from "@/core/errors";
import { alertCreated, batchPlanned, EVENTS_PER_SEND, inChunks, runRequested } from "@/core/jobs/jobs";
import { instant, SECOND, utcDay } from "@/core/time";
import { compareChannels } from "@/features/growth/comparison.service";
import { type ChannelReading, isPlatformError, type PlatformContext } from "@/platform/port";
import {
  type BatchReading,
  DayOverError,
  failBatch,
  finishBatch,
  holdBatch,
  readBatch,
  recordDaily,
} from "./batches.service";
import { closeRun, planRun, remainingScope, STALLED_AFTER } from "./service";

interface SnapshotJobOptions {
  /** Channels stored by one step: more make fewer steps, one keeps each channel's failure to itself. */
  creatorsPerStep: number;
  /** Whether the platform's terms allow figures across channels of different owners. */
  mayCompare: boolean;
}

/** What a schedule's event carries; the SDK's types promise less. */
const Scheduled = z.object({ scheduledAt: z.iso.datetime() });

/** The functions of the daily run: planner, batches and second chance. */
export function snapshotJobs(inngest: Inngest, ctx: PlatformContext, options: SnapshotJobOptions) {
  return [planDay(inngest, ctx), snapshotBatch(inngest, ctx, options), resumeDay(inngest, ctx)];
}

function planDay(inngest: Inngest, ctx: PlatformContext) {
  return inngest.createFunction(
    { id: "plan-day", triggers: [cron("TZ=UTC 0 6 * * *"), runRequested], retries: 5 },
    async ({ event, step }) => {
      const { day, scope } = requestOf(event);
      const { plan, batches } = await step.run("plan", () => planOf(ctx, day, scope));
      for (const [index, chunk] of inChunks(batches, EVENTS_PER_SEND).entries())
        await step.sendEvent(
          `send-${index}`,
          chunk.map((batch) =>
            batchPlanned.create({ day, batch }, { id: `snapshot:${day}:${batch}:${plan}` }),
          ),
        );
      if (batches.length === 0) await step.run("close", () => closeRun(ctx, day));
    },
  );
}

function snapshotBatch(inngest: Inngest, ctx: PlatformContext, options: SnapshotJobOptions) {
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
      const { readAt, readings } = await step.run("fetch", () => fetchBatch(ctx, day, batch));
      const alertIds: string[] = [];
      for (const chunk of inChunks(readings, options.creatorsPerStep)) {
        const id = chunk[0]?.channelId;
        try {
          alertIds.push(...(await step.run(`snapshot:${id}`, () => storeChunk(ctx, day, readAt, chunk))));
        } catch (error) {
          // After this step's own retries; the other creators go on.
          await step.run(`failed:${id}`, () => logFailed(ctx, day, chunk, error));
        }
      }
      for (const [index, chunk] of inChunks(alertIds, EVENTS_PER_SEND).entries())
        await step.sendEvent(
          `alerts-${index}`,
          chunk.map((alertId) => alertCreated.create({ alertId }, { id: `alert:${alertId}` })),
        );
      const isLast = await step.run("finish", async () => {
        await finishBatch(
          ctx,
          day,
          batch,
          readings.map(({ channelId }) => channelId),
        );
        return closeRun(ctx, day);
      });
      if (isLast) await step.run("compare", () => compareChannels(ctx, day, options.mayCompare));
    },
  );
}

/**
 * Looks every half hour whether today's run has something left that nobody works on: all of it where the planner did
 * not come through, batches that failed, or batches that were lost.
 */
function resumeDay(inngest: Inngest, ctx: PlatformContext) {
  return inngest.createFunction(
    { id: "resume-day", triggers: [cron("TZ=UTC */30 * * * *")], retries: 1 },
    async ({ step }) => {
      const left = await step.run("look", async () => {
        const scope = await remainingScope(ctx, STALLED_AFTER);
        return scope && { day: utcDay(ctx.clock.now()), scope };
      });
      if (left) await step.sendEvent("request", runRequested.create(left));
    },
  );
}

async function planOf(ctx: PlatformContext, day: string, scope: "open" | "failed") {
  return planRun(ctx, day, scope).catch((error) => {
    throw finalIfDayOver(error);
  });
}

/** Reads a batch, telling the engine when a retry makes sense and when none does. */
async function fetchBatch(ctx: PlatformContext, day: string, batch: number): Promise<BatchReading> {
  try {
    return await readBatch(ctx, day, batch);
  } catch (error) {
    if (!(isPlatformError(error) && error.retryAfter)) throw finalIfDayOver(error);
    await holdBatch(ctx, day, batch, error.retryAfter);
    throw new RetryAfterError(`${error.failure}: ${error.detail}`, error.retryAfter * SECOND, {
      cause: error,
    });
  }
}

async function storeChunk(
  ctx: PlatformContext,
  day: string,
  readAt: string,
  chunk: ChannelReading[],
): Promise<string[]> {
  return recordDaily(ctx, day, instant(readAt), chunk).catch((error) => {
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
