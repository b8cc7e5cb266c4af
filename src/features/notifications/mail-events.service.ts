import { and, count, eq, isNotNull, sql } from "drizzle-orm";
import { getErrorMessage } from "@/core/errors";
import { MAIL_EVENT_STATUSES } from "@/core/mail/email";
import type { Monitoring } from "@/core/mail/monitoring";
import type { MailEvent } from "@/core/mail/resend-webhook";
import { DAY, toDate } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { alerts, apiKeys, deliveries, mailEvents } from "@/db/schema";
import { suppress } from "./suppressions.service";

/**
 * Records the outcome of an email. A repeated event counts once, and in any order the worst result stays. An address
 * that bounced permanently or complained, about any mail of a key, gets no mails of that key until it confirms.
 */
export async function recordMailEvent(ctx: CoreContext & { monitoring: Monitoring }, given: MailEvent): Promise<void> {
  const event = { ...given, detail: given.detail && omitAddresses(given.detail) };
  const { id: eventId, keyId, deliveryId, status, detail, recipients, mustSuppress } = event;
  const refused = await inTransaction(ctx, async (tx) => {
    const received = tx.db.insert(mailEvents).values({ id: eventId, receivedAt: tx.clock.now() });
    const [isNew] = await received.onConflictDoNothing().returning({ id: mailEvents.id });
    if (!isNew) return null;
    // The key first, then its deliveries: the order in which a key's deletion locks them.
    const id = keyId ?? (deliveryId && (await findDeliveryKey(tx, deliveryId))) ?? "";
    const [key] = await tx.db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, id)).for("key share");
    const recipient = deliveryId && (await recordReceipt(tx, deliveryId, event));
    const owner = key?.id ?? null;
    if (status === "failed")
      tx.log.error({ keyId: owner, detail }, "the mail service accepted a mail and did not send it");
    if (status === "bounced") tx.log.warn({ keyId: owner, detail }, "a mail bounced");
    if (!key) return null;
    const isRefused = status === "failed" || status === "bounced";
    if (!mustSuppress) return isRefused ? key.id : null;
    // A test or confirmation mail, or one whose alert or digest was deleted, has no delivery.
    for (const address of recipient ? [recipient] : recipients) {
      await suppress(tx, key.id, address, status === "complained" ? "complained" : "bounced");
      tx.log.warn({ keyId: key.id, receipt: status }, "an address gets no more mails");
    }
    return isRefused ? key.id : null;
  });
  // After the transaction, which would wait for the channel.
  if (refused) await reportRefusal(ctx, refused, deliveryId, `it ${status} (${detail ?? "no reason given"})`);
}

/** @returns the delivery's recipient; null when it does not exist */
async function recordReceipt({ db, clock }: CoreContext, deliveryId: string, event: MailEvent): Promise<string | null> {
  const { at, messageId, status: receipt, detail } = event;
  const isIt = and(eq(deliveries.id, deliveryId), isNotNull(deliveries.recipient));
  const finishedAt = sql`coalesce(${deliveries.finishedAt}, ${clock.now().toISOString()}::timestamptz)`;
  // An event proves that the mail was sent.
  const sent = { status: "sent", problem: null, outcomeUnknownSince: null, messageId, finishedAt } as const;
  const [delivery] = await db.update(deliveries).set(sent).where(isIt).returning();
  if (delivery && isWorseThan(event, delivery))
    await db.update(deliveries).set({ receipt, receiptAt: at, receiptDetail: detail }).where(isIt);
  return delivery?.recipient ?? null;
}

function isWorseThan(event: MailEvent, { receipt, receiptAt }: typeof deliveries.$inferSelect): boolean {
  if (receipt === null || receiptAt === null) return true;
  const more = MAIL_EVENT_STATUSES.indexOf(event.status) - MAIL_EVENT_STATUSES.indexOf(receipt);
  return more > 0 || (more === 0 && event.at > receiptAt);
}

/** Alert mails that were accepted, of one day or of all days. */
export async function countMails({ db }: CoreContext, day?: string): Promise<number> {
  const ofDay = day === undefined ? undefined : eq(alerts.day, day);
  const [row] = await db
    .select({ mails: count() })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
    .where(and(isNotNull(deliveries.recipient), eq(deliveries.status, "sent"), ofDay));
  return row?.mails ?? 0;
}

/** How far back the mails of a key are looked at. */
const RECENT = 30 * DAY;
const ADDRESS = /[^\s<>@"'(),;:]+@[^\s<>@"'(),;]+/g;

/** What a mail service says, without the addresses in it. */
export function omitAddresses(text: string): string {
  return text.replace(ADDRESS, "(address)");
}

/** The key whose alert or digest a delivery is about; null when it was deleted. */
export async function findDeliveryKey({ db }: CoreContext, deliveryId: string): Promise<string | null> {
  const [row] = await db.execute<{ keyId: string | null }>(sql`
    select coalesce(alerts.key_id, digests.key_id) as "keyId" from deliveries
    left join alerts on alerts.id = alert_id left join digests on digests.id = digest_id
    where deliveries.id = ${deliveryId}::uuid`);
  return row?.keyId ?? null;
}

/** The latest mails of a key that were accepted or refused, as a query of `id, recipient, at, refused`. */
function recentMailsSql({ clock }: CoreContext, keyId: string) {
  const since = toDate(clock.now().getTime() - RECENT).toISOString();
  return sql`
    select mail.id, lower(mail.recipient) as recipient, mail.finished_at as at,
      mail.status = 'failed' or coalesce(mail.receipt in ('failed', 'bounced'), false) as refused
    from (
      select deliveries.* from alerts join deliveries on alert_id = alerts.id and destination = 'email'
      where alerts.key_id = ${keyId} and alerts.created_at >= ${since}::timestamptz
      union all
      select deliveries.* from digests join deliveries on digest_id = digests.id
      where digests.key_id = ${keyId} and deliveries.created_at >= ${since}::timestamptz
    ) as mail where mail.status in ('sent', 'failed')`;
}

/** When the last mail to a key's address was refused or bounced; null when it was accepted. @param setAt of the address */
export async function findRefusal(ctx: CoreContext, keyId: string, email: string, setAt: Date): Promise<Date | null> {
  const [last] = await ctx.db.execute<{ at: string; refused: boolean }>(sql`
    select at, refused from (${recentMailsSql(ctx, keyId)}) as mail
    where recipient = ${email.toLowerCase()} and at >= ${setAt.toISOString()}::timestamptz
    order by at desc, id desc limit 1`);
  return last?.refused ? toDate(last.at) : null;
}

/**
 * Posts a mail that was refused or bounced to the monitoring channel, unless the mail before it to the same address was too.
 * A post that the channel refuses is logged and not repeated.
 * @param deliveryId null for a mail without a delivery
 * @param reason without an address
 */
export async function reportRefusal(
  ctx: CoreContext & { monitoring: Monitoring },
  keyId: string,
  deliveryId: string | null,
  reason: string,
): Promise<void> {
  try {
    const [before] = await ctx.db.execute<{ refused: boolean }>(sql`
      with mail as (${recentMailsSql(ctx, keyId)})
      select earlier.refused from mail as this join mail as earlier
        on earlier.recipient = this.recipient and (earlier.at, earlier.id) < (this.at, this.id)
      where this.id = ${deliveryId}::uuid order by earlier.at desc, earlier.id desc limit 1`);
    if (before?.refused) return;
    const text = `An email of ${keyId} did not arrive (see \`npm run keys -- show ${keyId}\`): ${reason}`;
    await ctx.monitoring.notify(text);
  } catch (error) {
    ctx.log.error({ keyId, problem: getErrorMessage(error) }, "a refused mail could not be posted");
  }
}
