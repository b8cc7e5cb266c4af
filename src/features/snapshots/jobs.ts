import { cron, type Inngest, invoke, NonRetriableError, RetryAfterError } from "inngest";
import { z } from "zod";
import { getErrorMessage } from "@/core/errors";
import { toChunks } from "@/core/parallel";
import { DAY, SECOND, toDate, toUtcDay } from "@/core/time";
import { listPendingCauses } from "@/features/alerts/cause.service";
import { compareChannels } from "@/features/backtest/comparison.service";
import type { MailContext } from "@/features/context";
import { alertCreated, batchPlanned, causeRequested, runRequested } from "@/features/events";
import { loadHistories } from "@/features/growth/service";
import type { Histories } from "@/features/growth/storing.rules";
import { createScheduledJob, sendEventsInSteps } from "@/jobs/client";
import { type ChannelStats, isPlatformError, type PlatformContext } from "@/platform/port";
import { type BatchStats, failBatch, finishBatches, holdBatch, readBatches } from "./batches.service";
import { recordDaily } from "./daily.service";
import { type MonitorContext, reportRun, reportStopped, sendHeartbeat } from "./monitor.service";
import { purgeExpired, type Retention } from "./retention.service";
import { DayOverError } from "./rules";
import { closeRun, findRemainingWork, planRun, STALLED_AFTER } from "./service";

interface SnapshotJobOptions {
  /** Channels stored by one step. With 1, a channel that fails affects no other. */
  creatorsPerStep: number;
  /** Whether the platform's terms allow figures across channels of different owners. */
  mayCompare: boolean;
}

/** The data of a scheduled event, which the SDK's types leave out. */
const Scheduled = z.object({ scheduledAt: z.iso.datetime() });

type RunContext = PlatformContext & MonitorContext;

/** The functions of the daily run: planner, batch, and the half-hourly checks for remaining work and for problems. */
export function createSnapshotJobs(inngest: Inngest, ctx: RunContext, options: SnapshotJobOptions) {
  return [
    createPlanDayJob(inngest, ctx),
    createSnapshotBatchJob(inngest, ctx, options),
    createScheduledJob(inngest, { id: "resume-day", at: "*/30 * * * *", retries: 1 }, async (step) => {
      const left = await step.run("look", () => findRemainingWork(ctx, STALLED_AFTER));
      if (left) await step.sendEvent("request", runRequested.create(left));
    }),
    // Reports a daily run that went wrong to the operator.
    createScheduledJob(inngest, { id: "watch-run", at: "*/30 * * * *", retries: 1, concurrency: 1 }, async (step) => {
      await step.run("heartbeat", () => sendHeartbeat(ctx));
      await step.run("report", () => reportRun(ctx));
    }),
  ];
}

function createPlanDayJob(inngest: Inngest, ctx: RunContext) {
  return inngest.createFunction(
    {
      id: "plan-day",
      // Invoked by hand, it takes any data.
      triggers: [cron("TZ=UTC 0 6 * * *"), runRequested, invoke(z.looseObject({}))],
      retries: 5,
      onFailure: async ({ error, event }) => {
        const today = toUtcDay(ctx.clock.now());
        ctx.log.error({ problem: error.message }, "a daily run could not be planned");
        if (parseRequest(event.data.event.data, ctx.clock.now()).day === today)
          await reportStopped(ctx, today, "it could not be planned");
      },
    },
    async ({ event, step, runId }) => {
      const { day, batches } = await step.run("plan", () => planRequested(ctx, event.data, runId));
      const createEvent = (batch: number) =>
        batchPlanned.create({ day, batch }, { id: `snapshot:${day}:${batch}:${runId}` });
      await sendEventsInSteps(step, "send", batches.map(createEvent));
      if (batches.length === 0)
        await step.run("close", async () => {
          await closeRun(ctx, day);
          await sendHeartbeat(ctx);
        });
    },
  );
}

function createSnapshotBatchJob(inngest: Inngest, ctx: RunContext, options: SnapshotJobOptions) {
  return inngest.createFunction(
    {
      id: "snapshot-batch",
      triggers: [batchPlanned],
      retries: 3,
      concurrency: 10,
      onFailure: async ({ error, event }) => {
        const { day, batch } = event.data.event.data;
        ctx.log.error({ day, batch, problem: error.message }, "a batch could not be read");
        await failBatch(ctx, day, batch, error.message);
        await closeRun(ctx, day);
      },
    },
    async ({ event, step }) => {
      const { day, batch } = event.data;
      const { readAt, channels, unread } = await step.run("fetch", () => fetchBatch(ctx, day, batch));
      const histories = createHistoryLoader(ctx, day, channels);
      const alertIds: string[] = [];
      for (const chunk of toChunks(channels, options.creatorsPerStep)) {
        const id = chunk[0]?.channelId;
        try {
          const store = async () => recordDaily(ctx, day, toDate(readAt), chunk, await histories());
          alertIds.push(...(await step.run(`snapshot:${id}`, () => store().catch(throwFinalIfDayOver))));
        } catch (error) {
          // The step is out of retries; the other creators continue.
          const failed = { day, channelIds: getIds(chunk), problem: getErrorMessage(error) };
          await step.run(`failed:${id}`, () => ctx.log.error(failed, "statistics could not be stored"));
        }
      }
      const causes =
        alertIds.length > 0 ? await step.run("find-causes", () => listPendingCauses(ctx, day, getIds(channels))) : [];
      const createRead = (risen: (typeof causes)[number]) =>
        causeRequested.create(risen, { id: `cause:${day}:${risen.channelId}` });
      const createSend = (alertId: string) => alertCreated.create({ alertId }, { id: `alert:${alertId}` });
      await sendEventsInSteps(step, "causes", causes.map(createRead));
      await sendEventsInSteps(step, "alerts", alertIds.map(createSend));
      const isLast = await step.run("finish", async () => {
        await finishBatches(ctx, day, [batch], [...getIds(channels), ...unread]);
        return closeRun(ctx, day);
      });
      if (isLast) await step.run("heartbeat", () => sendHeartbeat(ctx));
      if (isLast) await step.run("compare", () => compareChannels(ctx, day, options.mayCompare));
    },
  );
}

async function planRequested(ctx: PlatformContext, data: unknown, planner: string) {
  const { day, scope, plans } = parseRequest(data, ctx.clock.now());
  const left = plans === undefined ? await findRemainingWork(ctx, STALLED_AFTER) : null;
  const request = left?.day === day ? left : { day, scope, plans: plans ?? 0 };
  return { day, batches: await planRun(ctx, request, planner).catch(throwFinalIfDayOver) };
}

/** Parses a run request: the event's own fields, the day of its schedule, or what is left of today. */
function parseRequest(data: unknown, now: Date): z.output<typeof runRequested.schema> {
  const requested = runRequested.schema.safeParse(data);
  if (requested.success) return requested.data;
  const scheduled = Scheduled.safeParse(data);
  if (scheduled.success) return { day: toUtcDay(toDate(scheduled.data.scheduledAt)), scope: "open", plans: 0 };
  return { day: toUtcDay(now), scope: "open" };
}

/** Reads a batch. Its errors say when a retry makes sense and when none does. */
async function fetchBatch(ctx: RunContext, day: string, batch: number): Promise<BatchStats> {
  try {
    return await readBatches(ctx, day, [batch]);
  } catch (error) {
    if (!(isPlatformError(error) && error.retryAfter)) return throwFinalIfDayOver(error);
    await holdBatch(ctx, day, batch, error.retryAfter);
    if (error.failure === "forbidden") await reportStopped(ctx, day, "the video platform refuses the service's key");
    throw new RetryAfterError(`${error.failure}: ${error.detail}`, error.retryAfter * SECOND, { cause: error });
  }
}

/** Loads the histories of a batch once for its steps. After a failure the next step tries again. */
function createHistoryLoader(ctx: PlatformContext, day: string, channels: ChannelStats[]): () => Promise<Histories> {
  const ids = getIds(channels);
  let loaded: Histories | undefined;
  return async () => {
    loaded ??= await loadHistories(ctx, ids, day);
    return loaded;
  };
}

function throwFinalIfDayOver(error: unknown): never {
  throw error instanceof DayOverError ? new NonRetriableError(error.message, { cause: error }) : error;
}

function getIds(channels: readonly ChannelStats[]): string[] {
  return channels.map(({ channelId }) => channelId);
}

/** Deletes what may no longer be kept, once a day. */
export function createRetentionJobs(inngest: Inngest, ctx: MailContext, retention: Retention) {
  return [
    createScheduledJob(inngest, { id: "purge-daily", at: "0 5 * * *", retries: 3 }, async (step) => {
      await step.run("purge", () => purgeExpired(ctx, retention));
      await step.run("purge-outbox", () => forgetOldMails(ctx));
    }),
  ];
}

/** Like the text of a sent mail in the database, a mail in the outbox stays for a day. */
async function forgetOldMails({ mailer, clock }: MailContext): Promise<void> {
  const oldest = clock.now().getTime() - DAY;
  await mailer.forget?.(({ writtenAt }) => writtenAt.getTime() < oldest);
}
