import { randomUUID } from "node:crypto";
import { and, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { AppError } from "@/core/errors";
import { isRefusal } from "@/core/mail/destination";
import { MAX_TEST_EMAILS_PER_DAY, type Mail } from "@/core/mail/email";
import { getSecondsToMidnight, toUtcDay } from "@/core/time";
import { getLeft, giveBack, take } from "@/db/allowance";
import { type CoreContext, inTransaction } from "@/db/context";
import { alertEmails, apiKeys, suppressions } from "@/db/schema";
import type { MailContext } from "@/features/context";
import type { KeyId } from "@/features/keys/schema";
import { findRefusal } from "./mail-events.service";
import { CLEARED, type ClearEmailAnswer, type EmailAnswer, type MailDelivery } from "./schema";
import { createMailError, createUnsubscribe, isSuppressedSql, sendConfirmation } from "./suppressions.service";

/** The address that receives the key's growth alerts; null when none is set. */
export async function getAlertEmail(ctx: CoreContext, keyId: KeyId): Promise<string | null> {
  return (await loadAddress(ctx, keyId))?.email ?? null;
}

/** The key's alert address, and why it gets no mails. */
async function loadAddress({ db }: CoreContext, keyId: KeyId) {
  const [row] = await db
    .select({ email: alertEmails.email, setAt: alertEmails.setAt, suppression: suppressions })
    .from(alertEmails)
    .leftJoin(suppressions, isSuppressedSql)
    .where(eq(alertEmails.keyId, keyId));
  return row ?? null;
}

/**
 * Sets the address that receives the key's growth alerts. An address that unsubscribed, bounced or complained gets a
 * confirmation link first, at most once in 30 days, and no alerts until it confirms.
 * @returns a sentence for the client
 * @throws AppError `unavailable` when the link could not be sent
 */
export async function setAlertEmail(ctx: MailContext, keyId: KeyId, email: string): Promise<string> {
  await ctx.db
    .insert(alertEmails)
    .values({ keyId, email, setAt: ctx.clock.now() })
    .onConflictDoUpdate({
      target: alertEmails.keyId,
      set: { email, setAt: sql`excluded.set_at` },
      setWhere: ne(alertEmails.email, email),
    });
  if (!(await loadAddress(ctx, keyId))?.suppression) return `Alert emails will be sent to ${email}`;
  await sendConfirmation(ctx, keyId, email);
  return `Alert emails will be sent to ${email} once you confirm with the link we emailed`;
}

/** The key's alert address, and whether it gets mails. */
export async function getEmailSetting(ctx: CoreContext, keyId: KeyId): Promise<z.output<typeof EmailAnswer>> {
  const address = await loadAddress(ctx, keyId);
  if (!address) return { email: null, ...(await describeCleared(ctx, keyId)) };
  const { email, setAt, suppression } = address;
  if (suppression) return { email, ...toMailDelivery(suppression) };
  const refusedAt = await findRefusal(ctx, keyId, email, setAt);
  if (refusedAt) return { email, ...toState("refused", refusedAt) };
  return { email, delivery: "active", delivery_since: setAt.toISOString(), delivery_hint: null };
}

/** Why the key's last address was cleared, where that was not its owner's wish. */
async function describeCleared({ db }: CoreContext, keyId: KeyId): Promise<MailDelivery> {
  const isIt = and(eq(suppressions.keyId, keyId), ne(suppressions.reason, "unsubscribed"));
  const [last] = await db.select().from(suppressions).where(isIt).orderBy(desc(suppressions.since)).limit(1);
  return last ? toState(last.reason, last.since) : { delivery: null, delivery_since: null, delivery_hint: null };
}

function toState(delivery: keyof typeof HINTS, since: Date): MailDelivery {
  return { delivery, delivery_since: since.toISOString(), delivery_hint: HINTS[delivery] };
}

function toMailDelivery(suppression: typeof suppressions.$inferSelect): MailDelivery {
  const { reason, since, confirmationSentAt } = suppression;
  // A complaint also sets confirmationSentAt, so no link is sent for 30 days.
  const isSent = confirmationSentAt && !(reason === "complained" && confirmationSentAt.getTime() === since.getTime());
  return isSent ? toState("unconfirmed", confirmationSentAt) : toState(reason, since);
}

const HINTS = {
  refused: "The last email did not arrive. Check the address, and set another one if it is wrong.",
  unconfirmed: "Confirm with the link that we emailed to this address.",
  unsubscribed: "Set the address again to get a confirmation link.",
  bounced: "Check the address, then set it again to get a confirmation link.",
  complained: "Set the address again 30 days after the complaint to get a confirmation link, or set another address.",
};

/** Clears the key's alert address. Safe to repeat. */
export async function clearAlertEmail({ db }: CoreContext, keyId: KeyId): Promise<z.output<typeof ClearEmailAnswer>> {
  await db.delete(alertEmails).where(eq(alertEmails.keyId, keyId));
  return { message: CLEARED, email: null };
}

/** What a test email uses up: its key's allowance, and that of its address over all keys. */
function listTestAllowances(keyId: KeyId, email: string, at: Date) {
  const scopes = [{ key: keyId }, { address: email.toLowerCase() }];
  return scopes.map((scope) => ({ kind: "test_email", scope, day: toUtcDay(at) }) as const);
}

export type AddressState = Awaited<ReturnType<typeof getAddressState>>;

/** The key's alert address, whether it gets mails, and how many test emails are left today. */
export async function getAddressState(ctx: CoreContext, keyId: KeyId) {
  const address = await loadAddress(ctx, keyId);
  const allowances = listTestAllowances(keyId, address?.email ?? "", ctx.clock.now());
  const left = await Promise.all(allowances.map((one) => getLeft(ctx, one, MAX_TEST_EMAILS_PER_DAY)));
  return {
    email: address?.email ?? null,
    /** Whether this key sends no mails to the address until it confirms by the emailed link. */
    awaits_confirmation: Boolean(address?.suppression),
    test_mails_left: Math.min(...left),
  };
}

/**
 * Sends a test email to the key's alert address: at most three per UTC day of a key, and to an address. An email that the
 * mail service refused for now is not counted.
 * @returns the address
 * @throws AppError `invalid_request` without an address that gets mails, `too_many_attempts` when the day's three are
 * sent, `unavailable` when the mail could not be sent
 */
export async function sendTestMail(ctx: MailContext, keyId: KeyId): Promise<string> {
  const email = await requireMailableEmail(ctx, keyId);
  const mail = await renderTestMessage(ctx, keyId, email);
  const now = ctx.clock.now();
  const problem = `${MAX_TEST_EMAILS_PER_DAY} test emails were sent today. You can send more after midnight UTC`;
  const allowances = listTestAllowances(keyId, email, now);
  await inTransaction(ctx, async (tx) => {
    for (const allowance of allowances)
      if (!(await take(tx, allowance, MAX_TEST_EMAILS_PER_DAY)))
        throw new AppError("too_many_attempts", problem, { retryAfter: getSecondsToMidnight(now) });
  });
  try {
    await ctx.mailer.send(mail);
  } catch (error) {
    // One that can never be sent counts, so that a client cannot make the mail service refuse without limit.
    if (isRefusal(error) && !error.final) for (const allowance of allowances) await giveBack(ctx, allowance);
    throw createMailError("test", error);
  }
  return email;
}

/** The key's alert address. @throws AppError `invalid_request` when there is none or it gets no mails */
async function requireMailableEmail(ctx: CoreContext, keyId: KeyId): Promise<string> {
  const address = await loadAddress(ctx, keyId);
  if (!address) throw new AppError("invalid_request", "Save an alert address first");
  if (!address.suppression) return address.email;
  throw new AppError("invalid_request", `Confirm ${address.email} first, with the link we emailed`);
}

/** The key's alert address. Null when there is none, it gets no mails, or the key is revoked. */
export async function findMailableEmail({ db }: CoreContext, keyId: KeyId): Promise<string | null> {
  const [row] = await db.execute<{ email: string }>(sql`
    select email from (${mailableEmailsSql()}) as address where key_id = ${keyId}`);
  return row?.email ?? null;
}

/** A query of `key_id, email`: the addresses of active keys that get mails. */
export function mailableEmailsSql(): SQL {
  return sql`
    select ${alertEmails.keyId} as key_id, ${alertEmails.email} as email
    from ${alertEmails} join ${apiKeys} on ${apiKeys.id} = ${alertEmails.keyId} and ${apiKeys.revokedAt} is null
    where not exists (select from ${suppressions} where ${isSuppressedSql})`;
}

async function renderTestMessage(ctx: MailContext, keyId: KeyId, email: string): Promise<Mail> {
  const { unsubscribeUrl, headers } = createUnsubscribe(ctx, keyId, email);
  const { renderTestMail } = await import("@emails/test-mail");
  const consoleUrl = `${ctx.appUrl}/overview`;
  const mail = await renderTestMail({ unsubscribeUrl, consoleUrl });
  return { ...mail, to: email, headers, tags: { kind: "test", key: keyId }, idempotencyKey: `test/${randomUUID()}` };
}
