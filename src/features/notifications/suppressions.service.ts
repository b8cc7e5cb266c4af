import { createHash } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { CoreContext, MailContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { alertEmails, apiKeys, type SUPPRESSION_REASONS, suppressions } from "@/core/db/schema";
import { lowerCase } from "@/core/db/schema/columns";
import { AppError, isAppError } from "@/core/errors";
import { beforehand, isRefusal, requireTimely } from "@/core/mail/destination";
import type { Mail } from "@/core/mail/email";
import { DAY, HOUR, instant } from "@/core/time";
import type { KeyId } from "@/features/keys/schema";

/** An address is asked to confirm at most once in so long. */
const ASK_AGAIN = 30 * DAY;
/** A mail may be handed over again while the mail service knows its idempotency key, which it forgets after a day. */
const REPEATED_WITHIN = 23 * HOUR;

/** The link by which an address ends the mails of one key. */
export function unsubscribeToken({ links }: MailContext, keyId: string, email: string): string {
  return links.sign("unsubscribe", [keyId, email.toLowerCase()]);
}

/** What lets mail programs offer to unsubscribe with one click (RFC 8058). */
export function unsubscribeHeaders({ appUrl }: MailContext, token: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${appUrl}/api/unsubscribe?token=${token}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** The address a link speaks for; null for a link that is not ours. */
export function addressOf(
  ctx: MailContext,
  purpose: "unsubscribe" | "confirm-address",
  token: string,
): string | null {
  return ctx.links.verify(purpose, token)?.[1] ?? null;
}

/** Ends the mails of a key to the link's address, until that address confirms again. False for a link not ours. */
export async function unsubscribe(ctx: MailContext, token: string): Promise<boolean> {
  const [keyId, email] = ctx.links.verify("unsubscribe", token) ?? [];
  if (!keyId || !email) return false;
  await ctx.db.transaction(async (tx) => {
    // One that is being deleted is waited for, and then gone.
    const [key] = await tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(eq(apiKeys.id, keyId))
      .for("key share");
    if (key) await suppress({ db: tx, clock: ctx.clock }, keyId, email, "unsubscribed");
  });
  return true;
}

/** Ends the mails of a key to an address, whose setting is cleared, until that address confirms again. */
export async function suppress(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  keyId: string,
  address: string,
  reason: (typeof SUPPRESSION_REASONS)[number],
): Promise<void> {
  const email = address.toLowerCase();
  const now = clock.now();
  // Whoever complains is left in peace for as long as whoever was asked just now.
  const ended = { reason, since: now, ...(reason === "complained" && { askedAt: now, isAskInDoubt: false }) };
  await db
    .insert(suppressions)
    .values({ keyId, email, ...ended })
    .onConflictDoUpdate({
      target: [suppressions.keyId, suppressions.email],
      set: ended,
      // Links sent before a complaint no longer count, also before one about such a link. Whoever only unsubscribes twice
      // may still follow the one that is under way, as no other is sent soon.
      setWhere: sql`excluded.reason = 'complained'`,
    });
  const isIt = and(eq(alertEmails.keyId, keyId), eq(lowerCase(alertEmails.email), email));
  await db.delete(alertEmails).where(isIt);
}

/** Lets the mails of a key reach the link's address again. False for a link not ours, or one that a later end of mails made void. */
export async function confirmAddress(ctx: MailContext, token: string): Promise<boolean> {
  const [keyId, email, since] = ctx.links.verify("confirm-address", token) ?? [];
  if (!keyId || !email || !since) return false;
  // A link speaks for the end of mails it was sent after, not for a complaint that followed.
  await ctx.db
    .delete(suppressions)
    .where(and(isAddress(keyId, email), eq(suppressions.since, instant(since))));
  return (await suppressionOf(ctx.db, keyId, email)) === null;
}

/** Why the mails of a key to an address have ended; null where they have not. */
export async function suppressionOf(db: Database, keyId: string, email: string) {
  const [row] = await db
    .select({ reason: suppressions.reason })
    .from(suppressions)
    .where(isAddress(keyId, email));
  return row ?? null;
}

/** Asks an address to confirm, unless it was asked lately; once more where it is in doubt whether that mail has left. */
export async function askToConfirm(ctx: MailContext, keyId: KeyId, email: string): Promise<void> {
  const begunAt = ctx.clock.now();
  const due = await takeAsk(ctx, keyId, email);
  if (!due) return;
  const ask = due;
  const settle = () =>
    ctx.db
      .update(suppressions)
      .set({ isAskInDoubt: false })
      .where(isAsk(keyId, email, ask));
  try {
    const mail = await beforehand(confirmationMail(ctx, keyId, email, ask));
    const lookedAt = ctx.clock.now();
    // Once more, as of every mail: it may have complained, or be wanted no more.
    if (!(await beforehand(isAwaited(ctx, keyId, email, ask)))) throw changedMeanwhile();
    await ctx.mailer.send(mail, () => requireTimely(ctx, begunAt, lookedAt));
    await settle();
  } catch (error) {
    // One that no try can send is spent, so that nobody can have the mail service refuse without end.
    if (isRefusal(error) && error.final) await settle();
    else if (isRefusal(error) || isAppError(error)) await takeBack(ctx, keyId, email, ask);
    if (isAppError(error)) throw error;
    throw new AppError("unavailable", "The confirmation mail could not be sent; please try again", {
      retryAfter: 60,
      cause: error,
    });
  }
}

/**
 * Notes that an address is asked now, or again by the same mail, in doubt until it is known what came of that; null
 * where it was asked lately.
 */
async function takeAsk({ db, clock }: CoreContext, keyId: KeyId, email: string): Promise<Ask | null> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(suppressions).where(isAddress(keyId, email)).for("update");
    if (!row) return null;
    const { since, askedAt: asked, isAskInDoubt } = row;
    const age = now.getTime() - (asked?.getTime() ?? Number.NEGATIVE_INFINITY);
    const repeated = isAskInDoubt && age < REPEATED_WITHIN ? asked : null;
    if (!repeated && age <= ASK_AGAIN) return null;
    const askedAt = repeated ?? now;
    const askTries = repeated ? Math.max(row.askTries, 1) + 1 : 1;
    await tx
      .update(suppressions)
      .set({ askedAt, isAskInDoubt: true, askTries })
      .where(isAddress(keyId, email));
    return { since, askedAt };
  });
}

/** Notes that a try has surely sent nothing: unless another may have, the address counts as not asked. */
async function takeBack({ db }: CoreContext, keyId: string, email: string, ask: Ask): Promise<void> {
  const isLast = sql`${suppressions.askTries} <= 1`;
  await db
    .update(suppressions)
    .set({
      askTries: sql`${suppressions.askTries} - 1`,
      askedAt: sql`case when ${isLast} then null else ${suppressions.askedAt} end`,
      isAskInDoubt: sql`not ${isLast}`,
    })
    // One that another try had accepted is no longer in doubt.
    .where(and(isAsk(keyId, email, ask), eq(suppressions.isAskInDoubt, true)));
}

/** When an address was asked to confirm, and when the mails ended that it was asked about. */
interface Ask {
  since: Date;
  askedAt: Date;
}

async function confirmationMail(ctx: MailContext, keyId: KeyId, email: string, ask: Ask): Promise<Mail> {
  const [key] = await ctx.db.select({ label: apiKeys.label }).from(apiKeys).where(eq(apiKeys.id, keyId));
  const subject = [keyId, email.toLowerCase(), ask.since.toISOString()];
  const token = ctx.links.sign("confirm-address", subject);
  const { renderConfirmAddress } = await import("@emails/confirm-address");
  const mail = await renderConfirmAddress({
    address: email,
    keyLabel: key?.label ?? "",
    confirmUrl: `${ctx.appUrl}/confirm-address?token=${token}`,
    consoleUrl: `${ctx.appUrl}/overview`,
  });
  return {
    ...mail,
    to: email,
    headers: {},
    tags: { kind: "confirmation", key: keyId },
    // The same for each try of one asking, also where the link is signed by another secret by then.
    idempotencyKey: `confirm/${createHash("sha256").update(JSON.stringify(subject)).digest("hex")}/${ask.askedAt.getTime()}`,
  };
}

/** Whether a link to confirm is still wanted: by a standing key for its address, whose mails have not ended anew. */
async function isAwaited({ db }: CoreContext, keyId: KeyId, email: string, ask: Ask): Promise<boolean> {
  const isStanding = and(eq(apiKeys.id, suppressions.keyId), isNull(apiKeys.revokedAt));
  const isSet = and(
    eq(alertEmails.keyId, suppressions.keyId),
    eq(lowerCase(alertEmails.email), suppressions.email),
  );
  const [row] = await db
    .select({ since: suppressions.since })
    .from(suppressions)
    .innerJoin(apiKeys, isStanding)
    .innerJoin(alertEmails, isSet)
    .where(isAsk(keyId, email, ask));
  return row !== undefined;
}

/** An address, or whether it gets mails, is not what it was when a mail to it was begun. */
export function changedMeanwhile(): AppError {
  const message = "or its mails were changed meanwhile; please try again";
  return new AppError("invalid_request", `The address ${message}`, { issues: [{ field: "email", message }] });
}

function isAsk(keyId: string, email: string, { since, askedAt }: Ask) {
  return and(isAddress(keyId, email), eq(suppressions.since, since), eq(suppressions.askedAt, askedAt));
}

function isAddress(keyId: string, email: string) {
  return and(eq(suppressions.keyId, keyId), eq(suppressions.email, email.toLowerCase()));
}
