import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { isRefusal } from "@/core/mail/destination";
import type { Mail } from "@/core/mail/email";
import { DAY, HOUR, toDate } from "@/core/time";
import type { Database } from "@/db/client";
import type { CoreContext } from "@/db/context";
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

/** The headers for one-click unsubscribe in mail programs (RFC 8058). */
export function createUnsubscribeHeaders({ appUrl }: MailContext, token: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${appUrl}/api/unsubscribe?token=${token}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** The address in a signed link. Null when the signature does not match. */
export function readLinkAddress({ links }: MailContext, purpose: "unsubscribe" | "confirm-address", token: string) {
  return links.verify(purpose, token)?.[1] ?? null;
}

/** Ends a key's mails to the link's address until it confirms. False when the link is not valid. */
export async function unsubscribe(ctx: MailContext, token: string): Promise<boolean> {
  const [keyId, email] = ctx.links.verify("unsubscribe", token) ?? [];
  if (!keyId || !email) return false;
  await ctx.db.transaction(async (tx) => {
    // Waits for a deletion of the key to finish.
    const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, keyId)).for("key share");
    if (key) await suppress({ db: tx, clock: ctx.clock }, keyId, email, "unsubscribed");
  });
  return true;
}

/** Ends a key's mails to an address until it confirms, and clears the key's setting of it. */
export async function suppress(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  keyId: string,
  address: string,
  reason: (typeof SUPPRESSION_REASONS)[number],
): Promise<void> {
  const email = address.toLowerCase();
  const now = clock.now();
  // After a complaint no confirmation is sent for 30 days.
  const ended = {
    reason,
    since: now,
    ...(reason === "complained" && { confirmationSentAt: now, isConfirmationUnknown: false }),
  };
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
  return (await findSuppression(ctx.db, keyId, email)) === null;
}

/** Why a key's mails to an address have ended. Null when they have not. */
export async function findSuppression(db: Database, keyId: string, email: string) {
  const [row] = await db.select({ reason: suppressions.reason }).from(suppressions).where(isAddressSql(keyId, email));
  return row ?? null;
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
  const settle = (confirmationSentAt: Date | null) =>
    ctx.db
      .update(suppressions)
      .set({ confirmationSentAt, isConfirmationUnknown: false })
      // A parallel try that was accepted wins, and so does a complaint.
      .where(
        and(
          isSuppressionSql(keyId, email, request.since),
          confirmationSentAt ? undefined : eq(suppressions.isConfirmationUnknown, true),
        ),
      );
  try {
    await ctx.mailer.send(await renderConfirmation(ctx, key.label, request));
    await settle(request.confirmationSentAt);
  } catch (error) {
    // A mail that can never be sent counts, so that a client cannot make the mail service refuse without limit.
    if (isRefusal(error) && error.final) await settle(request.confirmationSentAt);
    // An earlier try of a repeated mail may have been accepted.
    else if (isRefusal(error) && !request.isRepeated) await settle(null);
    throw new AppError("unavailable", "The confirmation email could not be sent. Try again.", {
      retryAfter: 60,
      cause: error,
    });
  }
}

interface Confirmation {
  keyId: KeyId;
  email: string;
  /** When the key's mails to the address ended. */
  since: Date;
  confirmationSentAt: Date;
  /** Whether an earlier try of this mail may have been accepted. */
  isRepeated: boolean;
}

/** Records a confirmation with unknown outcome, new or repeated. Null when one was sent recently. */
function takeConfirmation({ db, clock }: CoreContext, keyId: KeyId, email: string): Promise<Confirmation | null> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(suppressions).where(isAddressSql(keyId, email)).for("update");
    if (!row) return null;
    const { confirmationSentAt, isConfirmationUnknown } = row;
    const about = { keyId, email, since: row.since };
    const age = confirmationSentAt ? now.getTime() - confirmationSentAt.getTime() : Number.POSITIVE_INFINITY;
    if (confirmationSentAt && isConfirmationUnknown && age < RESEND_WITHIN)
      return { ...about, confirmationSentAt, isRepeated: true };
    if (age <= CONFIRM_AGAIN_AFTER) return null;
    await tx
      .update(suppressions)
      .set({ confirmationSentAt: now, isConfirmationUnknown: true })
      .where(isAddressSql(keyId, email));
    return { ...about, confirmationSentAt: now, isRepeated: false };
  });
}

async function renderConfirmation(
  ctx: MailContext,
  keyLabel: string,
  { keyId, email, ...request }: Confirmation,
): Promise<Mail> {
  const subject = [keyId, email.toLowerCase(), request.since.toISOString()];
  const token = ctx.links.sign("confirm-address", subject);
  const { renderConfirmAddress } = await import("@emails/confirm-address");
  const mail = await renderConfirmAddress({
    address: email,
    keyLabel,
    confirmUrl: `${ctx.appUrl}/confirm-address?token=${token}`,
    consoleUrl: `${ctx.appUrl}/overview`,
  });
  const hash = createHash("sha256").update(JSON.stringify(subject)).digest("hex");
  return {
    ...mail,
    to: email,
    headers: {},
    tags: { kind: "confirmation", key: keyId },
    // The same for each try, even if SESSION_SECRET and so the link changes in between.
    idempotencyKey: `confirm/${hash}/${request.confirmationSentAt.getTime()}`,
  };
}

/** The address, unless a complaint ended its mails again. */
function isSuppressionSql(keyId: string, email: string, since: Date) {
  return and(isAddressSql(keyId, email), eq(suppressions.since, since));
}

function isAddressSql(keyId: string, email: string) {
  return and(eq(suppressions.keyId, keyId), eq(suppressions.email, email.toLowerCase()));
}
