import { hash } from "node:crypto";
import { z } from "zod";
import { AppError, createFieldError } from "@/core/errors";
import { getAddressGroup, getClientAddress } from "@/core/http/client-address";
import { isReply } from "@/core/http/reply";
import { createLogMailer } from "@/core/mail/email";
import type { Database } from "@/db/client";
import { type CoreContext, inTransaction } from "@/db/context";
import { SANDBOX_KEY } from "@/features/keys/rules";
import type { Key } from "@/features/keys/schema";
import { requireHash } from "@/features/keys/service";
import { CLOCK_HEADER, SANDBOX_HEADER, SandboxHeaders, SESSION_HEADER } from "@/features/sandbox/schema";
import * as sandbox from "@/features/sandbox/service";
import { createLimitError, createPostgresQuota, getRateState } from "@/features/usage/quota.service";
import { admitRequest } from "@/features/usage/service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import type { AppContext } from "@/server/context";
import { createFieldsError } from "./input";
import { buildRateHeaders, type RequestContext } from "./request";

/** The key that makes a request, and the context of its verbs. */
export interface Caller {
  ctx: AppContext;
  key: Key;
  usedToday: number;
}

type Work<T> = (caller: Caller) => Promise<T>;

/** Refuses what cannot be a key, without a look-up. @throws AppError `unauthorized` */
export function requireKeyForm(ctx: AppContext, presented: string | null): void {
  if (presented !== SANDBOX_KEY || !ctx.sandbox) requireHash(presented);
}

/**
 * Authenticates a request, counts it, and runs work for its key: the only way in for a key of the API. Sets the headers
 * that every answer to the key has.
 * @param presented the key
 * @returns the answer of the work, marked where it is the sandbox's
 * @throws AppError `unauthorized`, `quota_exceeded`
 */
export async function withCaller<T extends object>(
  context: RequestContext,
  presented: string | null,
  work: Work<T>,
): Promise<T> {
  const { ctx, request, headers } = context;
  if (presented === SANDBOX_KEY && ctx.sandbox) return runInSandbox(context, ctx.sandbox, work);
  const { key, state, expiresAt } = await admitRequest(ctx, presented);
  context.keyId = key.id;
  Object.assign(headers, buildRateHeaders(state), expiresAt && { "X-Key-Expires": expiresAt });
  if (!state.granted) {
    ctx.metrics.recordRefusal(key.tier);
    throw createLimitError(state);
  }
  const sandboxOnly = [CLOCK_HEADER, SESSION_HEADER].find((name) => request.headers.has(name));
  if (sandboxOnly) throw createFieldError(sandboxOnly, "works with the sandbox key only");
  return work({ ctx, key, usedToday: state.used });
}

const NOTE =
  "Move X-Test-Clock ahead to create alerts; /docs/sandbox lists the days. No email is sent: GET /api/alerts shows what would be.";
/** Concurrent requests in this process. They share two connections and take none from the keys. */
const MAX_IN_FLIGHT = 32;
let inFlight = 0;

/**
 * Runs work with the public key: in the client's session, on the tables of the sandbox, with the verbs of every other key.
 * The session keeps its count and clock even when the work fails.
 * @throws AppError `sandbox_busy` when too many requests of the sandbox are under way
 */
async function runInSandbox<T extends object>(context: RequestContext, db: Database, work: Work<T>) {
  if (inFlight >= MAX_IN_FLIGHT)
    throw new AppError("sandbox_busy", "The sandbox is busy. Try again.", { retryAfter: 1 });
  inFlight += 1;
  return answerInSession(context, db, work).finally(() => {
    inFlight -= 1;
  });
}

async function answerInSession<T extends object>(context: RequestContext, db: Database, work: Work<T>) {
  const { ctx, request, headers } = context;
  const now = ctx.clock.now();
  const [name, clock] = [SESSION_HEADER, CLOCK_HEADER].map((header) => request.headers.get(header) ?? undefined);
  const given = { [SESSION_HEADER]: name, [CLOCK_HEADER]: clock };
  const { data, error: wrong } = SandboxHeaders.safeParse(given);
  const time = data?.[CLOCK_HEADER];
  const address = hash("sha256", getAddressGroup(getClientAddress(request, ctx.env.serverless)), "base64url");
  const visitor = { id: hash("sha256", `${address}\n${name ?? ""}`, "base64url"), address };
  // A later clock is a jump, so that even a first request has alerts.
  const start = time && time < now ? time : now;
  const full = { granted: false, used: TIER_RULES.pro.requestsPerDay };
  Object.assign(headers, buildRateHeaders(getRateState(now, "pro", full)));
  const outer = { ...ctx, db, mailer: createLogMailer(ctx.log), ledger: null, requestRenewal: async () => {} };
  const done = await sandbox.runInSession(outer, visitor, start, async (open, session) => {
    const refusal = wrong ? createFieldsError(wrong, given) : await sandbox.moveClock(open, session, time, now);
    const key = { id: session.keyId, tier: "pro" } as const;
    const grant = await createPostgresQuota(open).take(key.id, TIER_RULES[key.tier].requestsPerDay);
    const rate = getRateState(open.clock.now(), key.tier, grant);
    headers[SANDBOX_HEADER] = `clock=${open.clock.now().toISOString()}; ends=${session.endsAt.toISOString()}`;
    Object.assign(headers, buildRateHeaders(rate));
    return inTransaction(open, async (inner) => {
      if (refusal) throw refusal;
      if (!rate.granted) throw createLimitError(rate);
      const quota = createPostgresQuota(inner);
      const answer = await work({ ctx: { ...inner, quota }, key, usedToday: rate.used });
      await sandbox.clearNiches(inner);
      return { answer: await addState(inner, session, answer) };
    }).catch((error: unknown) => ({ error }));
  });
  if ("error" in done) throw done.error;
  return done.answer;
}

const AlertPage = z.object({ alerts: z.array(z.object({ id: z.string() })) });

/** Adds the sandbox's state to an answer in JSON. */
async function addState<T extends object>(ctx: CoreContext, { endsAt }: sandbox.Session, answer: T): Promise<T> {
  if (isReply(answer)) return answer;
  const alertIds = AlertPage.safeParse(answer).data?.alerts.map(({ id }) => id);
  const state = { clock: ctx.clock.now().toISOString(), ends_at: endsAt.toISOString(), note: NOTE };
  return { ...answer, sandbox: alertIds ? { ...state, mails: await sandbox.listMails(ctx, alertIds) } : state };
}
