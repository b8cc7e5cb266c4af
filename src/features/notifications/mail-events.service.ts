import { and, count, eq, gte, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import {
  alerts,
  apiKeys,
  type DELIVERY_STATUSES,
  type DESTINATIONS,
  deliveries,
  mailEvents,
  RECEIPTS,
} from "@/core/db/schema";
import type { MailEvent } from "@/core/mail/email";
import { addDays, startOfDay, utcDay } from "@/core/time";
import { suppress } from "./suppressions.service";

/**
 * Keeps what the mail service tells of a mail: told twice it counts once, told in any order the weightier word stays.
 * An address that cannot be reached for good, or that complains, be it of an alert, a test or a link to confirm, is not
 * mailed for that key again until it confirms.
 */
export async function noteMailEvent(ctx: CoreContext, event: MailEvent): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [news] = await tx
      .insert(mailEvents)
      .values({ id: event.id, receivedAt: ctx.clock.now() })
      .onConflictDoNothing()
      .returning({ id: mailEvents.id });
    if (!news) return;
    if (event.receipt === "failed")
      ctx.log.error({ keyId: event.keyId, detail: event.detail }, "a mail was accepted and then not sent");
    const known = { ...ctx, db: tx };
    // Before its deliveries, as whoever deletes a key locks them: neither then waits for the other.
    await tx.execute(sql`
      select from api_keys where id = coalesce(${event.keyId}, (
        select key_id from deliveries join alerts on alerts.id = alert_id where deliveries.id = ${event.deliveryId}
      )) for key share`);
    const isOfAlert = event.deliveryId !== null && (await noteReceipt(known, event.deliveryId, event));
    // Also of an alert whose record is gone by now.
    if (!isOfAlert && event.keyId)
      for (const recipient of event.recipients) await endMails(known, event.keyId, recipient, event);
  });
}

/** @returns whether there is such a delivery */
async function noteReceipt(ctx: CoreContext, deliveryId: string, event: MailEvent): Promise<boolean> {
  const { db, clock } = ctx;
  const { at, messageId, receipt, detail } = event;
  // Whatever we knew of its sending, there was a mail.
  const [delivery] = await db
    .update(deliveries)
    .set({
      status: "sent",
      problem: null,
      messageId,
      finishedAt: sql`coalesce(${deliveries.finishedAt}, ${clock.now().toISOString()}::timestamptz)`,
    })
    .where(and(eq(deliveries.id, deliveryId), eq(deliveries.destination, "email")))
    .returning();
  if (!delivery?.recipient) return false;
  if (outweighs(event, delivery))
    await db
      .update(deliveries)
      .set({ receipt, receiptAt: at, receiptDetail: detail })
      .where(eq(deliveries.id, deliveryId));
  const [alert] = await db
    .select({ keyId: alerts.keyId })
    .from(alerts)
    .where(eq(alerts.id, delivery.alertId));
  if (alert) await endMails(ctx, alert.keyId, delivery.recipient, event);
  return true;
}

async function endMails(
  { db, clock, log }: CoreContext,
  keyId: string,
  recipient: string,
  { endsMails, receipt }: MailEvent,
): Promise<void> {
  const [key] = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, keyId));
  if (!endsMails || !key) return;
  await suppress({ db, clock }, key.id, recipient, receipt === "complained" ? "complained" : "bounced");
  log.warn({ keyId, receipt }, "an address is not mailed any more");
}

function outweighs(event: MailEvent, { receipt, receiptAt }: typeof deliveries.$inferSelect): boolean {
  if (receipt === null || receiptAt === null) return true;
  const more = RECEIPTS.indexOf(event.receipt) - RECEIPTS.indexOf(receipt);
  return more > 0 || (more === 0 && event.at > receiptAt);
}

interface DeliveryCount {
  destination: (typeof DESTINATIONS)[number];
  status: (typeof DELIVERY_STATUSES)[number];
  count: number;
}

/** How many deliveries of alerts of the last days came to which end, for each destination. */
export function countDeliveries({ db, clock }: CoreContext, days: number): Promise<DeliveryCount[]> {
  const since = startOfDay(addDays(utcDay(clock.now()), 1 - days));
  return db
    .select({ destination: deliveries.destination, status: deliveries.status, count: count() })
    .from(deliveries)
    .where(gte(deliveries.createdAt, since))
    .groupBy(deliveries.destination, deliveries.status)
    .orderBy(deliveries.destination, deliveries.status);
}

/** Mails that were accepted, for the alerts of one day or of all. */
export async function countMails({ db }: Pick<CoreContext, "db">, day?: string): Promise<number> {
  const ofDay = day === undefined ? undefined : eq(alerts.day, day);
  const [row] = await db
    .select({ mails: count() })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
    .where(and(eq(deliveries.destination, "email"), eq(deliveries.status, "sent"), ofDay));
  return row?.mails ?? 0;
}
