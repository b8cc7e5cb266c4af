import { hash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { isRefusal } from "@/core/mail/destination";
import type { Mail } from "@/core/mail/email";
import { DAY, HOUR, toDate } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { alertEmails, apiKeys, suppressions } from "@/db/schema";
import { lowerCaseSql } from "@/db/schema/columns";
import type { SUPPRESSION_REASONS } from "@/db/values";
import type { MailContext } from "@/features/context";
import type { KeyId } from "@/features/keys/schema";

/** Minimum time between two confirmation emails to an address. */
const CONFIRM_AGAIN_AFTER = 30 * DAY;
/** The mail service remembers an idempotency key for 24 hours. Until then the same mail can be sent again. */
const RESEND_WITHIN = 23 * HOUR;

/** The link by which an address ends the mails of one key. */
export function createUnsubscribeToken({ links }: MailContext, keyId: string, email: string): string {
  return links.sign("unsubscribe", [keyId, email.toLowerCase()]);
}

/** The link of {@link createUnsubscribeToken}, and the headers for one-click unsubscribe in mail programs (RFC 8058). */
export function createUnsubscribe(ctx: MailContext, keyId: string, email: string) {
  const query = `token=${createUnsubscribeToken(ctx, keyId, email)}`;
  const headers = {
    "List-Unsubscribe": `<${ctx.appUrl}/api/unsubscribe?${query}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  return { unsubscribeUrl: `${ctx.appUrl}/unsubscribe?${query}`, headers };
}

/** The address in a signed link. Null when the signature does not match. */
export function readLinkAddress({ links }: MailContext, purpose: "unsubscribe" | "confirm-address", token: string) {
  return links.verify(purpose, token)?.[1] ?? null;
}

/** Ends a key's mails to the link's address until it confirms. False when the link is not valid. */
export async function unsubscribe(ctx: MailContext, token: string): Promise<boolean> {
  const [keyId, email] = ctx.links.verify("unsubscribe", token) ?? [];
  if (!keyId || !email) return false;
  await inTransaction(ctx, async (tx) => {
    // Waits for a deletion of the key to finish.
    const [key] = await tx.db.select().from(apiKeys).where(eq(apiKeys.id, keyId)).for("key share");
    if (key) await suppress(tx, keyId, email, "unsubscribed");
  });
  return true;
}

type Reason = (typeof SUPPRESSION_REASONS)[number];

/** Ends a key's mails to an address until it confirms, and clears the key's setting of it. */
export async function suppress({ db, clock }: CoreContext, keyId: string, address: string, reason: Reason) {
  const email = address.toLowerCase();
  const now = clock.now();
  // After a complaint no confirmation is sent for 30 days.
  const complained = reason === "complained" && { confirmationSentAt: now, isConfirmationUnknown: false };
  const ended = { reason, since: now, ...complained };
  await db
    .insert(suppressions)
    .values({ keyId, email, ...ended })
    .onConflictDoUpdate({
      target: [suppressions.keyId, suppressions.email],
      set: ended,
      // A complaint makes earlier links void. After a second unsubscribe or a bounce, the link already sent stays valid.
      setWhere: sql`excluded.reason = 'complained'`,
    });
  const isIt = and(eq(alertEmails.keyId, keyId), eq(lowerCaseSql(alertEmails.email), email));
  await db.delete(alertEmails).where(isIt);
}

/** Allows a key's mails to the link's address again. False when the link is not valid, or a later complaint made it void. */
export async function confirmAddress(ctx: MailContext, token: string): Promise<boolean> {
  const [keyId, email, since] = ctx.links.verify("confirm-address", token) ?? [];
  if (!keyId || !email || !since) return false;
  await ctx.db.delete(suppressions).where(isSuppressionSql(keyId, email, toDate(since)));
  return (await ctx.db.$count(suppressions, isAddressSql(keyId, email))) === 0;
}

/** Whether a row of `suppressions` is of the address in a row of `alert_emails`. */
export const isSuppressedSql = and(
  eq(suppressions.keyId, alertEmails.keyId),
  eq(suppressions.email, lowerCaseSql(alertEmails.email)),
);

/** The error for a mail that could not be sent. */
export function createMailError(kind: "test" | "confirmation", cause: unknown): AppError {
  return new AppError("unavailable", `The ${kind} email could not be sent. Try again.`, { retryAfter: 60, cause });
}

/**
 * Emails an address the link to confirm, unless one was sent in the last 30 days. Sends the same email again
 * if its outcome is unknown.
 * @throws AppError `unavailable` when the mail could not be sent
 */
export async function sendConfirmation(ctx: MailContext, keyId: KeyId, email: string): Promise<void> {
  const [key] = await ctx.db.select({ label: apiKeys.label }).from(apiKeys).where(eq(apiKeys.id, keyId));
  const request = await takeConfirmation(ctx, keyId, email);
  if (!key || !request) return;
  const settle = (confirmationSentAt: Date | null) => {
    // A parallel try that was accepted wins, and so does a complaint.
    const isOpen = confirmationSentAt ? undefined : eq(suppressions.isConfirmationUnknown, true);
    return ctx.db
      .update(suppressions)
      .set({ confirmationSentAt, isConfirmationUnknown: false })
      .where(and(isSuppressionSql(keyId, email, request.since), isOpen));
  };
  try {
    await ctx.mailer.send(await renderConfirmation(ctx, key.label, request));
    await settle(request.confirmationSentAt);
  } catch (error) {
    // A mail that can never be sent counts, so that a client cannot make the mail service refuse without limit.
    if (isRefusal(error) && error.final) await settle(request.confirmationSentAt);
    // An earlier try of a repeated mail may have been accepted.
    else if (isRefusal(error) && !request.isRepeated) await settle(null);
    throw createMailError("confirmation", error);
  }
}

type Confirmation = NonNullable<Awaited<ReturnType<typeof takeConfirmation>>>;

/**
 * Records a confirmation with unknown outcome, new or repeated: then an earlier try may have been accepted. Null when
 * one was sent recently.
 */
function takeConfirmation(ctx: CoreContext, keyId: KeyId, email: string) {
  const now = ctx.clock.now();
  const isAddress = isAddressSql(keyId, email);
  return inTransaction(ctx, async ({ db }) => {
    const [row] = await db.select().from(suppressions).where(isAddress).for("update");
    if (!row) return null;
    const { since, confirmationSentAt: sentAt, isConfirmationUnknown } = row;
    const age = sentAt ? now.getTime() - sentAt.getTime() : Number.POSITIVE_INFINITY;
    if (sentAt && isConfirmationUnknown && age < RESEND_WITHIN)
      return { keyId, email, since, confirmationSentAt: sentAt, isRepeated: true };
    if (age <= CONFIRM_AGAIN_AFTER) return null;
    await db.update(suppressions).set({ confirmationSentAt: now, isConfirmationUnknown: true }).where(isAddress);
    return { keyId, email, since, confirmationSentAt: now, isRepeated: false };
  });
}

async function renderConfirmation(ctx: MailContext, keyLabel: string, confirmation: Confirmation): Promise<Mail> {
  const { keyId, email, since, confirmationSentAt } = confirmation;
  const subject = [keyId, email.toLowerCase(), since.toISOString()];
  const confirmUrl = `${ctx.appUrl}/confirm-address?token=${ctx.links.sign("confirm-address", subject)}`;
  const { renderConfirmAddress } = await import("@emails/confirm-address");
  const consoleUrl = `${ctx.appUrl}/overview`;
  const mail = await renderConfirmAddress({ address: email, keyLabel, confirmUrl, consoleUrl });
  // The same for each try, even if SESSION_SECRET and so the link changes in between.
  const idempotencyKey = `confirm/${hash("sha256", JSON.stringify(subject))}/${confirmationSentAt.getTime()}`;
  return { ...mail, to: email, headers: {}, tags: { kind: "confirmation", key: keyId }, idempotencyKey };
}

/** The address, unless a complaint ended its mails again. */
function isSuppressionSql(keyId: string, email: string, since: Date) {
  return and(isAddressSql(keyId, email), eq(suppressions.since, since));
}

function isAddressSql(keyId: string, email: string) {
  return and(eq(suppressions.keyId, keyId), eq(suppressions.email, email.toLowerCase()));
}
