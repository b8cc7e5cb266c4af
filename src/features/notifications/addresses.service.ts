import { randomUUID } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { CoreContext, MailContext } from "@/core/context";
import { alertEmails, apiKeys, suppressions, testMails } from "@/core/db/schema";
import { lowerCase } from "@/core/db/schema/columns";
import { AppError, isAppError } from "@/core/errors";
import { beforehand, isRefusal, requireTimely } from "@/core/mail/destination";
import { type Mail, TEST_MAILS_A_DAY } from "@/core/mail/email";
import { secondsToMidnight, utcDay } from "@/core/time";
import type { KeyId } from "@/features/keys/schema";
import type { AddressState } from "./addresses.schema";
import {
  askToConfirm,
  changedMeanwhile,
  suppressionOf,
  unsubscribeHeaders,
  unsubscribeToken,
} from "./suppressions.service";

/** The address that receives the key's growth alerts; null when none is set. */
export async function alertEmail({ db }: Pick<CoreContext, "db">, keyId: KeyId): Promise<string | null> {
  const [row] = await db
    .select({ email: alertEmails.email })
    .from(alertEmails)
    .where(eq(alertEmails.keyId, keyId));
  return row?.email ?? null;
}

/**
 * Sets the one address that receives the key's growth alerts, in place of any earlier one. An address whose mails of
 * this key have ended gets a link to confirm first, and no alert until it does; while it does not, at most one in 30 days.
 * @returns a sentence for the client
 * @throws AppError `unavailable` when the link could not be sent, `invalid_request` when the address was changed while
 * it was made
 */
export async function setAlertEmail(ctx: MailContext, keyId: KeyId, email: string): Promise<string> {
  const setting = { email, setAt: ctx.clock.now() };
  await ctx.db
    .insert(alertEmails)
    .values({ keyId, ...setting })
    .onConflictDoUpdate({ target: alertEmails.keyId, set: setting });
  if (!(await suppressionOf(ctx.db, keyId, email))) return `Alert emails will be sent to ${email}`;
  await askToConfirm(ctx, keyId, email);
  return `Alert emails will be sent to ${email} once it confirms by the link that was mailed to it`;
}

/** Clears the key's alert address; clearing it again changes nothing. */
export async function clearAlertEmail({ db }: CoreContext, keyId: KeyId): Promise<void> {
  await db.delete(alertEmails).where(eq(alertEmails.keyId, keyId));
}

/** The key's alert address, whether it gets mails, and how many test mails the day still allows. */
export async function addressState({ db, clock }: CoreContext, keyId: KeyId): Promise<AddressState> {
  const email = await alertEmail({ db }, keyId);
  const [today] = await db
    .select({ sent: testMails.sent })
    .from(testMails)
    .where(and(eq(testMails.keyId, keyId), eq(testMails.day, utcDay(clock.now()))));
  return {
    email,
    awaits_confirmation: email !== null && (await suppressionOf(db, keyId, email)) !== null,
    test_mails_left: TEST_MAILS_A_DAY - (today?.sent ?? 0),
  };
}

/**
 * Sends a mail to the key's own alert address, at most three in one UTC day however many are asked for at once. One
 * that was refused by the mail service is not counted.
 * @returns the address
 * @throws AppError `invalid_request` without an address or for one whose mails have ended, `too_many_attempts` once
 * the day's three are spent, `unavailable` when the mail could not be sent
 */
export async function sendTestMail(ctx: MailContext, keyId: KeyId): Promise<string> {
  const email = await mailableAddress(ctx, keyId);
  const now = ctx.clock.now();
  await takeTestMail(ctx, keyId, now);
  try {
    const mail = await beforehand(testMail(ctx, keyId, email));
    const lookedAt = ctx.clock.now();
    // Once more: the first mail of a process takes a second to make, in which its recipient may end all mails.
    if (!(await beforehand(mayMail(ctx, keyId, email)))) throw changedMeanwhile();
    await ctx.mailer.send(mail, () => {
      requireTimely(ctx, now, lookedAt);
      // The next day has three of its own.
      if (utcDay(ctx.clock.now()) !== utcDay(now)) throw changedMeanwhile();
    });
  } catch (error) {
    if (isAppError(error)) {
      await giveTestMailBack(ctx, keyId, now);
      throw error;
    }
    // One that no try can send is spent, so that nobody can have the mail service refuse without end.
    if (isRefusal(error) && !error.final) await giveTestMailBack(ctx, keyId, now);
    throw new AppError("unavailable", "The test mail could not be sent; please try again", {
      retryAfter: 60,
      cause: error,
    });
  }
  return email;
}

/** The key's alert address. @throws AppError `invalid_request` when there is none, or its mails have ended */
async function mailableAddress({ db }: CoreContext, keyId: KeyId): Promise<string> {
  const email = await alertEmail({ db }, keyId);
  if (email === null) throw new AppError("invalid_request", "Please save an address for alert emails first");
  if (await suppressionOf(db, keyId, email))
    throw new AppError(
      "invalid_request",
      `${email} gets no mails of this key until it confirms by the link that was mailed to it`,
    );
  return email;
}

/** The key's alert address, where alerts may be mailed to it: by a standing key, whose mails to it have not ended; else null. */
export async function mailableEmail({ db }: CoreContext, keyId: KeyId): Promise<string | null> {
  const isStanding = and(eq(apiKeys.id, alertEmails.keyId), isNull(apiKeys.revokedAt));
  const isEnded = and(
    eq(suppressions.keyId, alertEmails.keyId),
    eq(suppressions.email, lowerCase(alertEmails.email)),
  );
  const [row] = await db
    .select({ email: alertEmails.email })
    .from(alertEmails)
    .innerJoin(apiKeys, isStanding)
    .leftJoin(suppressions, isEnded)
    .where(and(eq(alertEmails.keyId, keyId), isNull(suppressions.keyId)));
  return row?.email ?? null;
}

/** Whether alerts of the key may be mailed to an address, in whatever case it is written. */
export async function mayMail(ctx: CoreContext, keyId: KeyId, email: string): Promise<boolean> {
  return (await mailableEmail(ctx, keyId))?.toLowerCase() === email.toLowerCase();
}

/** Takes one of the day's test mails by one atomic statement. @throws AppError `too_many_attempts` */
async function takeTestMail({ db }: CoreContext, keyId: KeyId, now: Date): Promise<void> {
  const day = utcDay(now);
  const taken = await db
    .insert(testMails)
    .values({ keyId, day, sent: 1 })
    .onConflictDoUpdate({
      target: testMails.keyId,
      set: { day, sent: sql`case when ${testMails.day} = ${day} then ${testMails.sent} + 1 else 1 end` },
      // One that was asked for before midnight may come after those of the new day.
      setWhere: or(lt(testMails.day, day), and(eq(testMails.day, day), lt(testMails.sent, TEST_MAILS_A_DAY))),
    })
    .returning({ sent: testMails.sent });
  if (taken.length === 0)
    throw new AppError(
      "too_many_attempts",
      `${TEST_MAILS_A_DAY} test mails were sent today; the next can be sent after midnight UTC`,
      { retryAfter: secondsToMidnight(now) },
    );
}

async function giveTestMailBack({ db }: CoreContext, keyId: KeyId, takenAt: Date): Promise<void> {
  await db
    .update(testMails)
    .set({ sent: sql`greatest(${testMails.sent} - 1, 0)` })
    .where(and(eq(testMails.keyId, keyId), eq(testMails.day, utcDay(takenAt))));
}

async function testMail(ctx: MailContext, keyId: KeyId, email: string): Promise<Mail> {
  const [key] = await ctx.db.select({ label: apiKeys.label }).from(apiKeys).where(eq(apiKeys.id, keyId));
  const token = unsubscribeToken(ctx, keyId, email);
  const { renderTestMail } = await import("@emails/test-mail");
  const mail = await renderTestMail({
    keyLabel: key?.label ?? "",
    unsubscribeUrl: `${ctx.appUrl}/unsubscribe?token=${token}`,
    consoleUrl: `${ctx.appUrl}/overview`,
  });
  return {
    ...mail,
    to: email,
    headers: unsubscribeHeaders(ctx, token),
    tags: { kind: "test", key: keyId },
    idempotencyKey: `test/${randomUUID()}`,
  };
}
