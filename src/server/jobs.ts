import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Inngest, InngestFunction } from "inngest";
import { serve } from "inngest/next";
import { createEngine, type Engine } from "@/core/engine/engine";
import { canonicalJson, sign } from "@/core/engine/wire";
import { AppError } from "@/core/errors";
import { Overload } from "@/core/gate";
import {
  createJobClient,
  deliveryLeft,
  EVENTS_PER_SEND,
  inChunks,
  renewalRequested,
  runRequested,
  type ServedJobs,
} from "@/core/jobs";
import { MINUTE, SECOND, sleep, systemClock, utcDay, within } from "@/core/time";
import { forgetComparisons } from "@/features/comparison/service";
import { deliveryJobs } from "@/features/deliveries/jobs";
import { takeStranded } from "@/features/deliveries/service";
import { discoveryJobs } from "@/features/discovery/jobs";
import { outcomeJobs } from "@/features/outcomes/jobs";
import { gradeAlerts } from "@/features/outcomes/service";
import { retentionJobs } from "@/features/retention/jobs";
import { purge, type Retention } from "@/features/retention/service";
import { snapshotJobs } from "@/features/snapshots/jobs";
import { remainingScope } from "@/features/snapshots/service";
import { watchJobs } from "@/features/watch/jobs";
import { type AppContext, mayCompareChannels, type ServiceContext } from "./context";
import { readText } from "./input";

/** The jobs of a process that serves, whoever runs them. */
export interface RunningJobs {
  served: ServedJobs;
  /** Asks for the renewal of a niche's index entry. */
  requestRenewal(niche: string): Promise<void>;
  /** Begins the work of this process. Does not fail where somebody else's service cannot be reached. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The service's jobs and the embedded engine that runs them. */
export interface Jobs {
  engine: Engine;
  served: ServedJobs;
  /** Asks for today's collection: all of it that is open. */
  requestRun(): Promise<void>;
  /** Asks for the renewal of a niche's index entry. */
  requestRenewal(niche: string): Promise<void>;
  /** Starts the deliveries that wait, whoever left them. One that another process works on is left to it. */
  deliverWaiting(): Promise<void>;
  /**
   * Takes up what an earlier process left or missed: the purge, the grading, deliveries that wait, today's run where it
   * is due and not finished.
   * The queue is in memory, so whatever is open in the database has nobody working on it.
   */
  catchUp(): Promise<void>;
}

const UNSIGNED = "The call must be signed";
/** The most an engine sends to a function. */
const MAX_CALL_BYTES = 4 * 1024 * 1024;
/** And in how many parts: the SDK puts all of them in order before it looks at the signature. */
const MAX_CALL_PARTS = 200_000;
/** What an engine sends as a rule; to judge it takes some milliseconds. */
const SMALL_CALL_BYTES = 64 * 1024;
/** So many larger ones are under way at once: until one is judged it holds some 10 MB, and nobody knows who sent it. */
const MAX_LARGE_CALLS = 8;
/** After so long one that is not judged yet makes room. */
const LARGE_CALL_MS = 10 * SECOND;
/** The SDK refuses an older signature, by the machine's clock. */
const SIGNED_WITHIN = 5 * MINUTE;

/**
 * Hands a call of a job engine to the served functions: only one that is signed, unless it may be one of a dev server,
 * and no more than an engine would send. The embedded engine calls the functions in process, and nobody here.
 */
export async function serveJobs({ env, jobs }: AppContext, request: Request): Promise<Response> {
  const { kind } = env.jobs;
  if (kind === "embedded" || (kind === "inngest" && !seemsSigned(request)))
    throw new AppError("unauthorized", UNSIGNED);
  const { url, method } = request;
  const headers = new Headers(request.headers);
  // From an odd one the SDK would make no address, and tell the caller of it with its stack.
  headers.set("Host", new URL(url).host);
  if (method !== "POST" && method !== "PUT")
    return jobs.GET(new Request(url, { method, headers }), undefined);
  const body = await readCall(request, env.jobs.kind === "inngest" ? env.jobs.signingKey : null);
  return jobs[method](new Request(url, { method, headers, body }), undefined);
}

function seemsSigned({ headers }: Request): boolean {
  const age = systemClock.now().getTime() - signedAt(headers) * SECOND;
  return Math.abs(age) <= SIGNED_WITHIN;
}

/** The second in which a call says that it was signed; NaN where it says nothing. */
function signedAt(headers: Headers): number {
  const [, seconds] = /^t=(\d{1,12})&s=[0-9a-f]{64}$/.exec(headers.get("x-inngest-signature") ?? "") ?? [];
  return Number(seconds);
}

/**
 * The body of a call that is signed with the key; of any that the SDK can read where there is none.
 * @throws AppError `unauthorized`, or `unavailable` where too many large ones come at once
 */
async function readCall(request: Request, signingKey: string | null): Promise<string> {
  if (Number(request.headers.get("content-length") ?? Number.NaN) <= SMALL_CALL_BYTES) {
    const body = await readText(request, SMALL_CALL_BYTES);
    if (!isGenuine(request.headers, body, signingKey)) throw new AppError("unauthorized", UNSIGNED);
    return body;
  }
  if (largeCalls >= MAX_LARGE_CALLS) throw new Overload();
  largeCalls += 1;
  try {
    return await within(readLargeCall(request, signingKey), LARGE_CALL_MS, "a large call");
  } catch (error) {
    throw error instanceof AppError ? error : new Overload();
  } finally {
    largeCalls -= 1;
  }
}

let largeCalls = 0;
let judging: Promise<unknown> = Promise.resolve();

/**
 * To judge a large call may take the process half a second, and anybody may send one: they are judged one after another,
 * and all others have as long in between.
 */
async function readLargeCall(request: Request, signingKey: string | null): Promise<string> {
  const body = await readText(request, MAX_CALL_BYTES);
  const judged = judging.then(async () => {
    if (request.signal.aborted) return false;
    const begun = performance.now();
    const isIt = isGenuine(request.headers, body, signingKey);
    await sleep(performance.now() - begun);
    return isIt;
  });
  judging = judged;
  if (!(await judged)) throw new AppError("unauthorized", UNSIGNED);
  return body;
}

/** Whether the SDK can read a call, which it does before it looks at the signature, and whether that is made with the key. */
function isGenuine(headers: Headers, body: string, signingKey: string | null): boolean {
  if (body === "") return true;
  if (isScattered(body)) return false;
  try {
    const call: unknown = JSON.parse(body);
    return signingKey === null || isSignature(headers, call, signingKey);
  } catch {
    // No JSON, or nested too deep to be put in order.
    return false;
  }
}

function isSignature(headers: Headers, call: unknown, signingKey: string): boolean {
  const given = Buffer.from(headers.get("x-inngest-signature") ?? "");
  const due = Buffer.from(sign(canonicalJson(call), signingKey, signedAt(headers)));
  return due.length === given.length && timingSafeEqual(due, given);
}

function isScattered(text: string): boolean {
  let parts = 0;
  for (let at = 0; at < text.length && parts <= MAX_CALL_PARTS; at++)
    if (",[{".includes(text.charAt(at))) parts += 1;
  return parts > MAX_CALL_PARTS;
}

/** All functions of the service, made with a client. */
export function jobFunctions(inngest: Inngest, ctx: ServiceContext): InngestFunction.Any[] {
  const { creatorsPerStep } = ctx.env;
  return [
    ...snapshotJobs(inngest, ctx, { creatorsPerStep, mayCompare: mayCompareChannels(ctx) }),
    ...retentionJobs(inngest, ctx, retentionOf(ctx)),
    ...deliveryJobs(inngest, ctx),
    ...discoveryJobs(inngest, ctx),
    ...outcomeJobs(inngest, ctx),
    ...watchJobs(inngest, ctx),
  ];
}

/** Sends the event by which a niche's index entry is renewed. */
export async function sendRenewal(inngest: Inngest, niche: string): Promise<void> {
  await inngest.send(renewalRequested.create({ niche }));
}

/** The route handlers of functions. Unsigned calls cannot make them register anywhere. */
export function serveFunctions(
  client: Inngest,
  functions: InngestFunction.Any[],
  address: { serveOrigin?: string; servePath?: string } = {},
): ServedJobs {
  return serve({ client, functions, enableUnauthedSync: false, ...address });
}

function retentionOf({ env }: ServiceContext): Retention {
  return { snapshotDays: env.snapshotRetentionDays, alertDays: env.alertRetentionDays };
}

/** Registers all jobs with an embedded engine of their own. They run once the engine is started, drained or idled. */
export async function createJobs(ctx: ServiceContext): Promise<Jobs> {
  // Known to this process alone, so nobody else can call /api/inngest.
  const signingKey = `signkey-local-${randomBytes(32).toString("hex")}`;
  const engine = createEngine({ signingKey, clock: ctx.clock, log: ctx.log });
  const inngest = createJobClient({ ...engine.clientOptions, logger: ctx.log });
  const served = serveFunctions(inngest, jobFunctions(inngest, ctx));
  await engine.register(served);

  const requestRun = async () => {
    await inngest.send(runRequested.create({ day: utcDay(ctx.clock.now()), scope: "open" }));
  };
  const deliverWaiting = async () => {
    for (const left of inChunks(await takeStranded(ctx, 0), EVENTS_PER_SEND))
      await inngest.send(
        left.map(({ alertId, destination }) => deliveryLeft[destination].create({ alertId })),
      );
  };
  return {
    engine,
    served,
    requestRun,
    requestRenewal: (niche) => sendRenewal(inngest, niche),
    deliverWaiting,
    catchUp: async () => {
      await purge(ctx, retentionOf(ctx));
      if (!mayCompareChannels(ctx)) await forgetComparisons(ctx);
      await gradeAlerts(ctx);
      await deliverWaiting();
      if (await remainingScope(ctx, 0)) await requestRun();
    },
  };
}
