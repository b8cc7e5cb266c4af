import { hash } from "node:crypto";
import { z } from "zod";
import { AppError } from "@/core/errors";
import { getAddressGroup } from "@/core/http/address-group";
import { getClientAddress } from "@/core/http/client-address";
import { isReply } from "@/core/http/reply";
import { createLogMailer } from "@/core/mail/email";
import type { Database } from "@/db/client";
import {
  CLOCK_HEADER,
  SANDBOX_HEADER,
  SandboxHeaders,
  type SandboxState,
  SESSION_HEADER,
} from "@/features/sandbox/schema";
import * as sandbox from "@/features/sandbox/service";
import { createLimitError, createPostgresQuota, getRateState } from "@/features/usage/quota.service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import type { AppContext } from "@/server/context";
import type { Caller } from "./caller";
import { createFieldsError } from "./input";
import { buildRateHeaders, type RequestContext } from "./request";

const NOTE =
  "Alerts come as X-Test-Clock moves ahead: /docs/sandbox says on which days. No email is sent: the list of alerts names those that would be.";
const TIER = "pro";
/** Concurrent requests in this process. They share two connections and take none from the keys. */
const MAX_IN_FLIGHT = 32;
let inFlight = 0;

type Work<T> = (caller: Caller) => Promise<T>;

/**
 * Runs work with the public key: in the client's session, on the tables of the sandbox, with the verbs of every other key.
 * The session keeps its count and clock even when the work fails.
 * @throws AppError `unavailable` when too many requests of the sandbox are under way
 */
export async function runInSandbox<T extends object>(context: RequestContext, db: Database, work: Work<T>) {
  if (inFlight >= MAX_IN_FLIGHT)
    throw new AppError("unavailable", "The sandbox is busy. Try again.", { retryAfter: 1 });
  inFlight += 1;
  return answerInSession(context, db, work).finally(() => {
    inFlight -= 1;
  });
}

async function answerInSession<T extends object>(context: RequestContext, db: Database, work: Work<T>) {
  const { ctx, request } = context;
  const now = ctx.clock.now();
  const name = request.headers.get(SESSION_HEADER) ?? undefined;
  const clock = request.headers.get(CLOCK_HEADER) ?? undefined;
  const { data, error: wrong } = SandboxHeaders.safeParse({ [SESSION_HEADER]: name, [CLOCK_HEADER]: clock });
  const time = data?.[CLOCK_HEADER];
  const address = hash("sha256", getAddressGroup(getClientAddress(request, ctx.env.serverless)), "base64url");
  const visitor = { id: hash("sha256", `${address}\n${name ?? ""}`, "base64url"), address };
  // A later clock is a jump, so that even a first request has alerts.
  const start = time && time < now ? time : now;
  const done = await sandbox.runInSession({ ...ctx, db }, visitor, start, async (session) => {
    const refusal = wrong ? createFieldsError(wrong) : await sandbox.findRefusal(session, time, now);
    if (time && !refusal) await sandbox.advanceClock(session, time);
    const rate = await countRequest(context, session);
    return session.db
      .transaction(async (tx) => {
        if (refusal) throw refusal;
        if (!rate.granted) throw createLimitError(rate);
        const inner = { ...session, db: tx };
        const answer = await addState(inner, await work(createCaller(ctx, inner, rate.used)));
        await sandbox.clearNiches(inner);
        return { answer };
      })
      .catch((error: unknown) => ({ error }));
  });
  if ("error" in done) throw done.error;
  return done.answer;
}

/** Counts the request on the session's day and sets the headers of every answer. */
async function countRequest({ headers }: RequestContext, { db, clock, keyId, endsAt }: sandbox.Session) {
  const grant = await createPostgresQuota(db, clock).take(keyId, TIER_RULES[TIER].requestsPerDay);
  const rate = getRateState(clock.now(), TIER, grant);
  headers[SANDBOX_HEADER] = `clock=${clock.now().toISOString()}; ends=${endsAt.toISOString()}`;
  Object.assign(headers, buildRateHeaders(rate));
  return rate;
}

function createCaller(ctx: AppContext, { keyId, db, clock, platform }: sandbox.Session, usedToday: number): Caller {
  const quota = createPostgresQuota(db, clock);
  const mailer = createLogMailer(ctx.log);
  const inner = { ...ctx, db, clock, platform, quota, mailer, ledger: null, requestRenewal: async () => {} };
  return { ctx: inner, key: { id: keyId, tier: TIER }, usedToday };
}

const AlertPage = z.object({ alerts: z.array(z.object({ id: z.string() })) });

/** Adds the sandbox's state to an answer in JSON. */
async function addState<T extends object>(session: sandbox.Session, answer: T): Promise<T> {
  if (isReply(answer)) return answer;
  const alertIds = AlertPage.safeParse(answer).data?.alerts.map(({ id }) => id);
  const state: SandboxState = {
    clock: session.clock.now().toISOString(),
    ends_at: session.endsAt.toISOString(),
    note: NOTE,
    ...(alertIds && { mails: await sandbox.listMails(session, alertIds) }),
  };
  return { ...answer, sandbox: state };
}
