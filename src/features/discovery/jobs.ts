import { type Inngest, RetryAfterError } from "inngest";
import { SECOND } from "@/core/time";
import { renewalRequested } from "@/features/events";
import { createScheduledJob, sendEventsInSteps } from "@/jobs/client";
import { isPlatformError, type PlatformContext } from "@/platform/port";
import { listDueMapNiches, searchMapNiche } from "./map.service";
import { listDueNiches, readCandidates } from "./niches.service";
import { RUN_MINUTE } from "./queue.rules";
import { listDueQueued, searchQueued } from "./queue.service";
import { renewNiche } from "./search.service";

/** Steps of one run: more than the candidates of all niches take. */
const MAX_CALLS = 200;

/** The jobs that keep the index of niches fresh. */
export function createDiscoveryJobs(inngest: Inngest, ctx: PlatformContext) {
  return [createRenewNichesJob(inngest, ctx), createRenewNicheJob(inngest, ctx), createReadCandidatesJob(inngest, ctx)];
}

/** Searches queued niches, requests the renewal of entries in demand, and fills the map of niches, every hour. */
function createRenewNichesJob(inngest: Inngest, ctx: PlatformContext) {
  return createScheduledJob(inngest, { id: "renew-niches", at: `${RUN_MINUTE} * * * *`, retries: 1 }, async (step) => {
    const queued = await step.run("queue", () => listDueQueued(ctx));
    for (const [position, niche] of queued.entries())
      if (!(await step.run(`queued-${position}`, () => searchQueued(ctx, niche)))) break;
    const due = await step.run("find", () => listDueNiches(ctx));
    const events = due.map((niche) => renewalRequested.create({ niche }));
    await sendEventsInSteps(step, "send", events);
    const map = await step.run("map", () => listDueMapNiches(ctx));
    for (const [position, niche] of map.entries())
      if (!(await step.run(`map-${position}`, () => searchMapNiche(ctx, niche)))) break;
  });
}

function createRenewNicheJob(inngest: Inngest, ctx: PlatformContext) {
  return inngest.createFunction(
    {
      id: "renew-niche",
      triggers: [renewalRequested],
      // Each try costs a search. What fails twice waits for the next hour.
      retries: 1,
      concurrency: 2,
      onFailure: async ({ error, event }) => {
        const { niche } = event.data.event.data;
        ctx.log.error({ niche, problem: error.message }, "niche not renewed");
      },
    },
    ({ event, step }) => step.run("renew", () => renew(ctx, event.data.niche)),
  );
}

async function renew(ctx: PlatformContext, niche: string): Promise<void> {
  try {
    await renewNiche(ctx, niche);
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    if (error.failure === "quota_exhausted") return;
    const wait = (error.retryAfter ?? 60) * SECOND;
    throw new RetryAfterError(`${error.failure}: ${error.detail}`, wait, { cause: error });
  }
}

/**
 * Reads the candidates of niches in demand once a day, so that the next answer ranks them by measured growth. Runs after
 * the daily run and after the platform's quota resets, at 07:00 or 08:00 UTC.
 */
function createReadCandidatesJob(inngest: Inngest, ctx: PlatformContext) {
  return createScheduledJob(inngest, { id: "read-candidates", at: "30 8 * * *", retries: 3 }, async (step) => {
    for (let call = 0; call < MAX_CALLS; call++)
      if ((await step.run(`read-${call}`, () => readCandidates(ctx))) === 0) return;
  });
}
