import { z } from "zod";
import { AppError, createFieldError } from "@/core/errors";
import { getAddressGroup } from "@/core/http/address-group";
import { getClientAddress } from "@/core/http/client-address";
import { isReply } from "@/core/http/reply";
import type { Mailer } from "@/core/mail/email";
import { SECOND, toDate } from "@/core/time";
import type { Database } from "@/db/client";
import { advanceClock, clearNiches, listMails } from "@/features/sandbox/clock.service";
import {
  getSessionPrefix,
  hashTexts,
  PUBLIC_PREFIX,
  REQUESTS_PER_ADDRESS,
  replaceTexts,
} from "@/features/sandbox/rules";
import {
  CLOCK_HEADER,
  SANDBOX_HEADER,
  type SandboxState,
  SESSION_HEADER,
  SessionName,
  TestClock,
} from "@/features/sandbox/schema";
import { runInSession, type Session } from "@/features/sandbox/service";
import { createLimitError, createPostgresQuota, getRateState } from "@/features/usage/quota.service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import type { AppContext } from "@/server/context";
import type { Caller } from "./caller";
import { buildRateHeaders, type RequestContext } from "./request";

const NOTE =
  "Alerts come as X-Test-Clock moves ahead: /docs/sandbox says on which days. No email is sent: the list of alerts names those that would be.";
const TIER = "pro";
/** Concurrent requests in this process. They share two connections and take none from the keys. */
const MAX_IN_FLIGHT = 32;
let inFlight = 0;
const NO_MAILER: Mailer = {
  name: "log",
  send: () => Promise.reject(new Error("the sandbox sends no emails")),
};

/**
 * Runs work with the public key: in the caller's session, on the tables of the sandbox, with the verbs of every other key.
 * The session keeps its count and clock even when the work fails.
 * @throws AppError `unavailable` when too many requests of the sandbox are under way
 */
export async function enterSandbox<T extends object>(
  ...call: Parameters<typeof runInSandbox<T>>
): Promise<T> {
  if (inFlight >= MAX_IN_FLIGHT)
    throw new AppError("unavailable", "The sandbox is busy. Try again.", { retryAfter: 1 });
  inFlight += 1;
  return runInSandbox(...call).finally(() => {
    inFlight -= 1;
  });
}

async function runInSandbox<T extends object>(
  context: RequestContext,
  db: Database,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { ctx, request } = context;
  const requested = readHeaders(request.headers);
  const address = hashTexts("base64url", getAddressGroup(getClientAddress(request, ctx.env.serverless)));
  const caller = { id: hashTexts("base64url", address, requested.name), address };
  const now = ctx.clock.now();
  // A later clock is a jump, so that even a first request has alerts.
  const start = requested.clock && requested.clock < now ? requested.clock : now;
  const done = await runInSession({ ...ctx, db }, caller, start, async (session) => {
    const problem = requested.problem ?? findProblem(session, requested.clock, now);
    await advanceClock(session, (!problem && requested.clock) || session.clock.now());
    const { granted, used } = await count(context, session);
    return session.db
      .transaction(async (tx) => {
        if (problem) throw problem;
        if (!granted) throw createLimitError(getSandboxRate(session, { granted, used }));
        const inner = { ...session, db: tx };
        const answer = await addSandboxState(inner, await work(createCaller(ctx, inner, used)));
        await clearNiches(inner);
        return { answer };
      })
      .catch((error: unknown) => ({ error }));
  });
  if ("error" in done) throw done.error;
  return done.answer;
}

interface SandboxRequest {
  /** Empty unless the caller names its session. */
  name: string;
  /** Null leaves the session's time as it is. */
  clock: Date | null;
  problem: AppError | null;
}

function readHeaders(headers: Headers): SandboxRequest {
  const [name, clock] = [headers.get(SESSION_HEADER), headers.get(CLOCK_HEADER)];
  const named = SessionName.optional().safeParse(name ?? undefined);
  const timed = TestClock.optional().safeParse(clock ?? undefined);
  const toFieldError = (field: string, error?: z.ZodError) =>
    error ? createFieldError(field, error.issues[0]?.message ?? "is wrong") : null;
  return {
    name: named.data ?? "",
    clock: timed.data === undefined ? null : toDate(timed.data),
    problem: toFieldError(SESSION_HEADER, named.error) ?? toFieldError(CLOCK_HEADER, timed.error),
  };
}

/** The reason why a session cannot answer at the requested time, or null. */
function findProblem(
  { requests, clock, endsAt }: Session,
  requestedTime: Date | null,
  now: Date,
): AppError | null {
  if (requests > REQUESTS_PER_ADDRESS)
    return new AppError(
      "too_many_attempts",
      `The sandbox takes ${REQUESTS_PER_ADDRESS} requests an hour from one address. Try again when your session ends.`,
      { retryAfter: Math.ceil((endsAt.getTime() - now.getTime()) / SECOND) },
    );
  if (!requestedTime || requestedTime >= clock.now()) return null;
  const time = clock.now().toISOString();
  return createFieldError(
    CLOCK_HEADER,
    `must not be before ${time}, the time in your session. To go back, start another session with ${SESSION_HEADER}`,
  );
}

function getSandboxRate({ clock }: Session, grant: { granted: boolean; used: number }) {
  return getRateState(clock.now(), TIER, grant);
}

/** Counts the request on the session's day and sets the headers of every answer. */
async function count({ headers }: RequestContext, session: Session) {
  const quota = createPostgresQuota(session.db, session.clock);
  const grant = await quota.take(session.keyId, TIER_RULES[TIER].requestsPerDay);
  const { clock, ends_at } = formatTimes(session);
  Object.assign(headers, buildRateHeaders(getSandboxRate(session, grant)), {
    [SANDBOX_HEADER]: `clock=${clock}; ends=${ends_at}`,
  });
  return grant;
}

function formatTimes({ clock, endsAt }: Session) {
  return { clock: clock.now().toISOString(), ends_at: endsAt.toISOString() };
}

function createCaller(
  ctx: AppContext,
  { id, keyId, db, clock, platform }: Session,
  usedToday: number,
): Caller {
  return {
    ctx: {
      ...ctx,
      db,
      clock,
      platform,
      quota: createPostgresQuota(db, clock),
      ledger: null,
      mailer: NO_MAILER,
      requestRenewal: async () => {},
      sandbox: null,
    },
    key: { id: keyId, tier: TIER },
    usedToday,
    toInternalIds: (values) => replaceTexts(values, PUBLIC_PREFIX, getSessionPrefix(id)),
  };
}

const AlertPage = z.object({ alerts: z.array(z.object({ id: z.string() })) });

/** Adds the sandbox's state to an answer and makes its ids public. */
async function addSandboxState<T extends object>(session: Session, answer: T): Promise<T> {
  const head = getSessionPrefix(session.id);
  if (isReply(answer)) return { ...answer, body: answer.body?.replaceAll(head, PUBLIC_PREFIX) ?? null };
  const page = AlertPage.safeParse(answer).data;
  const mails = page && {
    mails: await listMails(
      session,
      page.alerts.map(({ id }) => id),
    ),
  };
  const sandbox: SandboxState = { ...formatTimes(session), note: NOTE, ...mails };
  return { ...replaceTexts(answer, head, PUBLIC_PREFIX), sandbox };
}
