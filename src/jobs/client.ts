import {
  type ClientOptions,
  cron,
  type GetStepTools,
  Inngest,
  type InngestFunction,
  Middleware,
  type SendEventPayload,
} from "inngest";
import { toChunks } from "@/core/parallel";
import { withoutParameters } from "@/db/client";

/** Names the app to Inngest, which finds functions and steps again by it: it must never change. */
const APP_ID = "creator-growth";

/** The most events one call may send. */
const EVENTS_PER_SEND = 5000;

/** Keeps the parameters of failed queries from the engine and its log. */
class WithoutParameters extends Middleware.BaseMiddleware {
  readonly id = "without-parameters";

  override wrapStepHandler({ next }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    return next().catch(rethrow);
  }

  override wrapFunctionHandler({ next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    return next().catch(rethrow);
  }
}

function rethrow(error: unknown): never {
  throw withoutParameters(error);
}

/**
 * The Inngest client of all functions. Steps run one after another within a request and are saved in tens, so a step
 * must be safe to run twice. `maxRuntime` leaves the step under way time to end: Vercel ends a call after 300 seconds, our
 * own server a connection on which nothing moves after 120.
 */
export function createJobClient(options: Omit<ClientOptions, "id">): Inngest {
  return new Inngest({
    id: APP_ID,
    middleware: [WithoutParameters],
    checkpointing: { bufferedSteps: 10, maxInterval: "3s", maxRuntime: "70s" },
    ...options,
  });
}

interface Schedule extends Pick<InngestFunction.Options, "retries" | "concurrency"> {
  id: string;
  /** A cron expression, in UTC. */
  at: string;
}

/** Creates a function that runs on a schedule. */
export function createScheduledJob(
  inngest: Inngest,
  { at, ...options }: Schedule,
  run: (step: GetStepTools<Inngest>) => Promise<unknown>,
) {
  return inngest.createFunction({ ...options, triggers: [cron(`TZ=UTC ${at}`)] }, ({ step }) => run(step));
}

type Events = Extract<SendEventPayload, readonly unknown[]>[number][];

/** Sends any number of events. */
export async function sendEvents(inngest: Inngest, events: Events): Promise<void> {
  for (const chunk of toChunks(events, EVENTS_PER_SEND)) await inngest.send(chunk);
}

/** Sends any number of events in steps of a function, named `name-0` and so on. */
export async function sendEventsInSteps(step: Pick<GetStepTools<Inngest>, "sendEvent">, name: string, events: Events) {
  for (const [index, chunk] of toChunks(events, EVENTS_PER_SEND).entries())
    await step.sendEvent(`${name}-${index}`, chunk);
}
