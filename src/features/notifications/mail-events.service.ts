import { and, count, eq, gte, isNotNull, sql } from "drizzle-orm";
import type { MailEvent } from "@/core/mail/email";
import { MAIL_EVENT_STATUSES } from "@/core/mail/email";
import { addDays, startOfDay, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alerts, apiKeys, deliveries, digests, mailEvents } from "@/db/schema";
import { suppress } from "./suppressions.service";

/**
 * Records the outcome of an email. A repeated event counts once, and in any order the worst result stays. An
 * address that
 * bounced permanently or complained, about any mail of a key, gets no mails of that key until it confirms.
 */
export async function recordMailEvent(ctx: CoreContext, event: MailEvent): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [isNew] = await tx
      .insert(mailEvents)
      .values({ id: event.id, receivedAt: ctx.clock.now() })
      .onConflictDoNothing()
      .returning({ id: mailEvents.id });
    if (!isNew) return;
    if (event.status === "failed")
      ctx.log.error(
        { keyId: event.keyId, detail: event.detail },
        "the mail service accepted a mail and did not send it",
      );
    const inTransaction = { ...ctx, db: tx };
    // The key first, then its deliveries: the order in which a key's deletion locks them.
    await tx.execute(sql`
      select from api_keys where id = coalesce(${event.keyId}, (
        select key_id from deliveries join alerts on alerts.id = alert_id where deliveries.id = ${event.deliveryId}
      )) for key share`);
    const isOfAlert = event.deliveryId !== null && (await recordReceipt(inTransaction, event.deliveryId, event));
    // A test or confirmation mail, or an alert or digest that was deleted.
    if (!isOfAlert && event.keyId)
      for (const recipient of event.recipients) await suppressRecipient(inTransaction, event.keyId, recipient, event);
  });
}

/** @returns whether the delivery exists */
async function recordReceipt(ctx: CoreContext, deliveryId: string, event: MailEvent): Promise<boolean> {
  const { db, clock } = ctx;
  const { at, messageId, status: receipt, detail } = event;
  // An event proves that the mail was sent.
  const [delivery] = await db
    .update(deliveries)
    .set({
      status: "sent",
      problem: null,
      outcomeUnknownSince: null,
      messageId,
      finishedAt: sql`coalesce(${deliveries.finishedAt}, ${clock.now().toISOString()}::timestamptz)`,
    })
    .where(and(eq(deliveries.id, deliveryId), isNotNull(deliveries.recipient)))
    .returning();
  if (!delivery?.recipient) return false;
  if (isWorseThan(event, delivery))
    await db
      .update(deliveries)
      .set({ receipt, receiptAt: at, receiptDetail: detail })
      .where(eq(deliveries.id, deliveryId));
  const [owner] = await db
    .select({ keyId: sql<string>`coalesce(${alerts.keyId}, ${digests.keyId})` })
    .from(deliveries)
    .leftJoin(alerts, eq(alerts.id, deliveries.alertId))
    .leftJoin(digests, eq(digests.id, deliveries.digestId))
    .where(eq(deliveries.id, deliveryId));
  if (owner) await suppressRecipient(ctx, owner.keyId, delivery.recipient, event);
  return true;
}

async function suppressRecipient(
  { db, clock, log }: CoreContext,
  keyId: string,
  recipient: string,
  { mustSuppress: endsMails, status: receipt }: MailEvent,
): Promise<void> {
  const [key] = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, keyId));
  if (!endsMails || !key) return;
  await suppress({ db, clock }, key.id, recipient, receipt === "complained" ? "complained" : "bounced");
  log.warn({ keyId, receipt }, "an address gets no more mails");
}

function isWorseThan(event: MailEvent, { receipt, receiptAt }: typeof deliveries.$inferSelect): boolean {
  if (receipt === null || receiptAt === null) return true;
  const more = MAIL_EVENT_STATUSES.indexOf(event.status) - MAIL_EVENT_STATUSES.indexOf(receipt);
  return more > 0 || (more === 0 && event.at > receiptAt);
}

/** Deliveries of the last days, counted by destination and status. */
export function countDeliveries({ db, clock }: CoreContext, days: number) {
  const since = startOfDay(addDays(toUtcDay(clock.now()), 1 - days));
  return db
    .select({ destination: deliveries.destination, status: deliveries.status, count: count() })
    .from(deliveries)
    .where(gte(deliveries.createdAt, since))
    .groupBy(deliveries.destination, deliveries.status)
    .orderBy(deliveries.destination, deliveries.status);
}

/** Alert mails that were accepted, of one day or of all days. */
export async function countMails({ db }: Pick<CoreContext, "db">, day?: string): Promise<number> {
  const ofDay = day === undefined ? undefined : eq(alerts.day, day);
  const [row] = await db
    .select({ mails: count() })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
    .where(and(isNotNull(deliveries.recipient), eq(deliveries.status, "sent"), ofDay));
  return row?.mails ?? 0;
}
