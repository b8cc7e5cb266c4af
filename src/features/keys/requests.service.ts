import { randomBytes } from "node:crypto";
import { and, asc, eq, gt, isNull, lt } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { getAddressGroup, getAddressNetwork } from "@/core/http/client-address";
import { createToken, hashOfToken } from "@/core/http/token";
import type { Monitoring } from "@/core/mail/monitoring";
import { addDays, getSecondsToMidnight, HOUR, startOfDay, toDate, toUtcDay } from "@/core/time";
import { take } from "@/db/allowance";
import { type CoreContext, inTransaction } from "@/db/context";
import { keyRequests } from "@/db/schema";
import type { Tier } from "@/db/values";
import type { MailContext } from "@/features/context";
import type { KeyRequestInput } from "./schema";
import { type IssuedKey, issueKey } from "./service";

export const REQUESTS_PER_ADDRESS = 5;
export const REQUESTS_A_DAY = 200;
/** So that the rest of the day stays open for others. */
export const REQUESTS_PER_NETWORK = REQUESTS_A_DAY / 10;
const KEPT_DAYS = 90;
/** Counts the requests of all addresses together. */
const ALL = "all";

/** The mailer, and the channel that notifies the operator. */
export interface KeyRequestContext extends MailContext {
  monitoring: Pick<Monitoring, "notify">;
  /** The operator's address; null when the contact is a page or not set. */
  operatorEmail: string | null;
}

/**
 * Stores a request for a key and notifies the operator. The request stays when the notification fails.
 * @param address of the client
 * @throws AppError `too_many_attempts` after 5 requests of an address, 20 of a network, or 200 in total, in one UTC day
 */
export async function requestKey(ctx: KeyRequestContext, input: KeyRequestInput, address: string): Promise<string> {
  const id = `req_${randomBytes(6).toString("hex")}`;
  const now = ctx.clock.now();
  await inTransaction(ctx, async (tx) => {
    await countRequest(tx, getAddressGroup(address), REQUESTS_PER_ADDRESS);
    await countRequest(tx, getAddressNetwork(address), REQUESTS_PER_NETWORK);
    await countRequest(tx, ALL, REQUESTS_A_DAY);
    await tx.db.insert(keyRequests).values({ id, ...input, requestedAt: now });
  });
  const text = `Key requested by ${input.name} (${input.tier} plan). See it: npm run keys -- requests. Issue it: npm run keys -- issue --request ${id}`;
  const logFailure = (what: string) => (error: unknown) => ctx.log.error({ err: error, request: id }, what);
  await Promise.all([
    ctx.monitoring.notify(text).catch(logFailure("key request not posted")),
    mailOperator(ctx, id, input).catch(logFailure("key request not mailed")),
  ]);
  return id;
}

/** Counts one request of an address, of a network, or of all together. */
async function countRequest(ctx: CoreContext, address: string, limit: number): Promise<void> {
  const now = ctx.clock.now();
  if (await take(ctx, { kind: "key_request", scope: { address }, day: toUtcDay(now) }, limit)) return;
  throw new AppError("too_many_attempts", "Too many requests today. Try again tomorrow, after 00:00 UTC.", {
    retryAfter: getSecondsToMidnight(now),
  });
}

async function mailOperator(ctx: KeyRequestContext, id: string, input: KeyRequestInput): Promise<void> {
  if (ctx.operatorEmail === null) return;
  const { renderKeyRequest } = await import("@emails/key-request");
  const mail = await renderKeyRequest({ id, ...input, consoleUrl: `${ctx.appUrl}/overview` });
  const [tags, idempotencyKey] = [{ kind: "key-request" }, `key-request/${id}`];
  await ctx.mailer.send({ ...mail, to: ctx.operatorEmail, headers: {}, tags, idempotencyKey });
}

/** A request as the operator sees it. */
export type KeyRequest = Awaited<ReturnType<typeof listOpenRequests>>[number];

/** Requests without a key, oldest first. */
export function listOpenRequests({ db }: CoreContext) {
  const { id, name, email, tier, purpose, requestedAt, linkExpiresAt, usedAt } = keyRequests;
  return db
    .select({ id, name, email, tier, purpose, requestedAt, linkExpiresAt })
    .from(keyRequests)
    .where(isNull(usedAt))
    .orderBy(asc(requestedAt), asc(id));
}

/** Deletes a request without a key. @throws AppError `not_found` */
export async function declineRequest({ db }: CoreContext, id: string): Promise<void> {
  const { count } = await db.delete(keyRequests).where(and(eq(keyRequests.id, id), isNull(keyRequests.usedAt)));
  if (count === 0) throw new AppError("not_found", `No open request has the id "${id}".`);
}

/** Deletes requests after 90 days, used or not. */
export async function purgeKeyRequests({ db, clock }: CoreContext): Promise<void> {
  const today = toUtcDay(clock.now());
  await db.delete(keyRequests).where(lt(keyRequests.requestedAt, startOfDay(addDays(today, -KEPT_DAYS))));
}

const LINK_HOURS = 72;

type IssuedLink = Awaited<ReturnType<typeof issueLink>>;

/**
 * Makes the one-time link of a request. The key is made when the link's button is pressed. A second link ends the
 * first.
 * @throws AppError `not_found`, also when the request has its key
 */
export async function issueLink(
  { db, clock, appUrl }: CoreContext & Pick<MailContext, "appUrl">,
  id: string,
  chosen: { tier?: Tier; label?: string } = {},
) {
  const { token, tokenHash } = createToken();
  const expiresAt = toDate(clock.now().getTime() + LINK_HOURS * HOUR);
  const isOpen = and(eq(keyRequests.id, id), isNull(keyRequests.usedAt));
  const [request] = await db.select().from(keyRequests).where(isOpen);
  const label = chosen.label ?? request?.name ?? "";
  const tier = chosen.tier ?? request?.tier ?? "free";
  const issued = { tokenHash, issuedLabel: label, issuedTier: tier, linkExpiresAt: expiresAt };
  const { count } = await db.update(keyRequests).set(issued).where(isOpen);
  if (!request || count === 0)
    throw new AppError("not_found", `No open request has the id "${id}". See: npm run keys -- requests`);
  return { id, url: `${appUrl}/key/${token}`, email: request.email, label, tier, expiresAt };
}

/** Mails a one-time link to the address of its request. @throws DestinationError */
export async function mailLink(
  { mailer, appUrl }: Pick<MailContext, "mailer" | "appUrl">,
  { id, url, email, label, tier, expiresAt }: IssuedLink,
): Promise<void> {
  const { renderKeyLink } = await import("@emails/key-link");
  const times = { expiresAt: expiresAt.toISOString(), consoleUrl: `${appUrl}/overview` };
  const mail = await renderKeyLink({ label, tier, keyUrl: url, ...times });
  // Each link is a mail of its own.
  const idempotencyKey = `key-link/${id}/${expiresAt.getTime()}`;
  await mailer.send({ ...mail, to: email, headers: {}, tags: { kind: "key-link" }, idempotencyKey });
}

const ENDED = { state: "ended" } as const;

/** What a one-time link would do. Reading it never uses it up, because mail scanners open links. */
export async function readLink({ db, clock }: CoreContext, token: string) {
  const tokenHash = hashOfToken(token);
  if (tokenHash === null) return ENDED;
  const [row] = await db.select().from(keyRequests).where(eq(keyRequests.tokenHash, tokenHash));
  if (row?.usedAt) return { state: "used", usedAt: row.usedAt } as const;
  const { issuedLabel: label, issuedTier: tier, linkExpiresAt: expiresAt } = row ?? {};
  if (!label || !tier || !expiresAt || expiresAt <= clock.now()) return ENDED;
  return { state: "ready", label, tier, expiresAt } as const;
}

/** Makes the key of a one-time link, once; null when the link was used, has expired or is unknown. */
export async function redeemLink(ctx: CoreContext, token: string): Promise<IssuedKey | null> {
  const tokenHash = hashOfToken(token);
  if (tokenHash === null) return null;
  const now = ctx.clock.now();
  return inTransaction(ctx, async (tx) => {
    const isReady = and(isNull(keyRequests.usedAt), gt(keyRequests.linkExpiresAt, now));
    const own = tx.db
      .select()
      .from(keyRequests)
      .where(and(eq(keyRequests.tokenHash, tokenHash), isReady));
    // A parallel press waits here, then finds the link used.
    const [row] = await own.for("update");
    if (!row?.issuedLabel || !row.issuedTier) return null;
    const issued = await issueKey(tx, { label: row.issuedLabel, tier: row.issuedTier });
    await tx.db.update(keyRequests).set({ usedAt: now, keyId: issued.record.id }).where(eq(keyRequests.id, row.id));
    return issued;
  });
}
