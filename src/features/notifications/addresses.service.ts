import { randomUUID } from "node:crypto";
import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { AppError } from "@/core/errors";
import { isRefusal } from "@/core/mail/destination";
import { MAX_TEST_EMAILS_PER_DAY, type Mail } from "@/core/mail/email";
import { getSecondsToMidnight, toUtcDay } from "@/core/time";
import { getLeft, giveBack, take } from "@/db/allowance";
import type { CoreContext } from "@/db/context";
import { alertEmails, apiKeys, suppressions } from "@/db/schema";
import { lowerCaseSql } from "@/db/schema/columns";
import type { MailContext } from "@/features/context";
import type { KeyId } from "@/features/keys/schema";
import type { AddressState, EmailAnswer, MailDelivery } from "./addresses.schema";
import {
  createUnsubscribeHeaders,
  createUnsubscribeToken,
  findSuppression,
  sendConfirmation,
} from "./suppressions.service";

/** The address that receives the key's growth alerts; null when none is set. */
export async function getAlertEmail({ db }: Pick<CoreContext, "db">, keyId: KeyId): Promise<string | null> {
  const [row] = await db.select({ email: alertEmails.email }).from(alertEmails).where(eq(alertEmails.keyId, keyId));
  return row?.email ?? null;
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
  if (!(await findSuppression(ctx.db, keyId, email))) return `Alert emails will be sent to ${email}`;
  await sendConfirmation(ctx, keyId, email);
  return `Alert emails will be sent to ${email} once you confirm with the link we emailed`;
}

/** The key's alert address, and whether it gets mails. */
export async function getEmailSetting(
  { db }: Pick<CoreContext, "db">,
  keyId: KeyId,
): Promise<z.output<typeof EmailAnswer>> {
  const isSameAddress = and(
    eq(suppressions.keyId, alertEmails.keyId),
    eq(suppressions.email, lowerCaseSql(alertEmails.email)),
  );
  const [row] = await db
    .select({ email: alertEmails.email, setAt: alertEmails.setAt, ended: suppressions })
    .from(alertEmails)
    .leftJoin(suppressions, isSameAddress)
    .where(eq(alertEmails.keyId, keyId));
  if (!row) return { email: null, delivery: null, delivery_since: null, delivery_hint: null };
  return { email: row.email, ...toMailDelivery(row.setAt, row.ended) };
}

function toMailDelivery(setAt: Date, ended: typeof suppressions.$inferSelect | null): MailDelivery {
  if (!ended) return { delivery: "active", delivery_since: setAt.toISOString(), delivery_hint: null };
  const { reason, since, confirmationSentAt } = ended;
  // A complaint also sets confirmationSentAt, so no link is sent for 30 days.
  const isConfirmationSent =
    confirmationSentAt !== null && !(reason === "complained" && confirmationSentAt.getTime() === since.getTime());
  return {
    delivery: isConfirmationSent ? "unconfirmed" : reason,
    delivery_since: (isConfirmationSent ? confirmationSentAt : since).toISOString(),
    delivery_hint: isConfirmationSent ? HINTS.unconfirmed : HINTS[reason],
  };
}

const HINTS = {
  unconfirmed: "Confirm with the link that we emailed to this address.",
  unsubscribed: "Set the address again to get a confirmation link.",
  bounced: "Check the address, then set it again to get a confirmation link.",
  complained: "Set the address again 30 days after the complaint to get a confirmation link, or set another address.",
};

/** Clears the key's alert address. Safe to repeat. */
export async function clearAlertEmail({ db }: CoreContext, keyId: KeyId): Promise<void> {
  await db.delete(alertEmails).where(eq(alertEmails.keyId, keyId));
}

const testEmails = (keyId: KeyId, at: Date) =>
  ({ kind: "test_email", scope: { key: keyId }, day: toUtcDay(at) }) as const;

/** The key's alert address, whether it gets mails, and how many test emails are left today. */
export async function getAddressState(ctx: CoreContext, keyId: KeyId): Promise<AddressState> {
  const email = await getAlertEmail(ctx, keyId);
  return {
    email,
    awaits_confirmation: email !== null && (await findSuppression(ctx.db, keyId, email)) !== null,
    test_mails_left: await getLeft(ctx, testEmails(keyId, ctx.clock.now()), MAX_TEST_EMAILS_PER_DAY),
  };
}

/**
 * Sends a test email to the key's alert address, at most three per UTC day. A mail that the mail service refused for now
 * is not counted.
 * @returns the address
 * @throws AppError `invalid_request` without an address that gets mails, `too_many_attempts` when the day's three are
 * sent, `unavailable` when the mail could not be sent
 */
export async function sendTestMail(ctx: MailContext, keyId: KeyId): Promise<string> {
  const email = await requireMailableEmail(ctx, keyId);
  const mail = await renderTestMessage(ctx, keyId, email);
  const now = ctx.clock.now();
  await takeTestMail(ctx, keyId, now);
  try {
    await ctx.mailer.send(mail);
  } catch (error) {
    // One that can never be sent counts, so that a client cannot make the mail service refuse without limit.
    if (isRefusal(error) && !error.final) await giveBack(ctx, testEmails(keyId, now));
    throw new AppError("unavailable", "The test email could not be sent. Try again.", {
      retryAfter: 60,
      cause: error,
    });
  }
  return email;
}

/** The key's alert address. @throws AppError `invalid_request` when there is none or it gets no mails */
async function requireMailableEmail({ db }: CoreContext, keyId: KeyId): Promise<string> {
  const email = await getAlertEmail({ db }, keyId);
  if (email === null) throw new AppError("invalid_request", "Save an alert address first");
  if (await findSuppression(db, keyId, email))
    throw new AppError("invalid_request", `Confirm ${email} first, with the link we emailed`);
  return email;
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
    where not exists (
      select from ${suppressions}
      where ${suppressions.keyId} = ${alertEmails.keyId} and ${suppressions.email} = ${lowerCaseSql(alertEmails.email)}
    )`;
}

/** @throws AppError `too_many_attempts` */
async function takeTestMail(ctx: CoreContext, keyId: KeyId, now: Date): Promise<void> {
  if (await take(ctx, testEmails(keyId, now), MAX_TEST_EMAILS_PER_DAY)) return;
  throw new AppError(
    "too_many_attempts",
    `${MAX_TEST_EMAILS_PER_DAY} test emails were sent today. You can send more after midnight UTC`,
    { retryAfter: getSecondsToMidnight(now) },
  );
}

async function renderTestMessage(ctx: MailContext, keyId: KeyId, email: string): Promise<Mail> {
  const [key] = await ctx.db.select({ label: apiKeys.label }).from(apiKeys).where(eq(apiKeys.id, keyId));
  const token = createUnsubscribeToken(ctx, keyId, email);
  const { renderTestMail } = await import("@emails/test-mail");
  const mail = await renderTestMail({
    keyLabel: key?.label ?? "",
    unsubscribeUrl: `${ctx.appUrl}/unsubscribe?token=${token}`,
    consoleUrl: `${ctx.appUrl}/overview`,
  });
  return {
    ...mail,
    to: email,
    headers: createUnsubscribeHeaders(ctx, token),
    tags: { kind: "test", key: keyId },
    idempotencyKey: `test/${randomUUID()}`,
  };
}
