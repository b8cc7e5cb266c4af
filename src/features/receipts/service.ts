import { and, eq, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { alerts, deliveries, mailEvents, RECEIPTS } from "@/core/db/schema";
import type { MailEvent } from "@/core/email";
import { suppress } from "@/features/addresses/service";

/**
 * Keeps what the mail service tells of a mail: told twice it counts once, told in any order the weightier word stays.
 * An address that cannot be reached for good, or that complains, is not mailed for that key again until it confirms.
 */
export async function noteMailEvent({ db, clock, log }: CoreContext, event: MailEvent): Promise<void> {
  const { id, at, deliveryId, messageId, receipt, detail, endsMails } = event;
  await db.transaction(async (tx) => {
    const [news] = await tx
      .insert(mailEvents)
      .values({ id, receivedAt: clock.now() })
      .onConflictDoNothing()
      .returning({ id: mailEvents.id });
    if (!news || !deliveryId) return;
    // Whatever we knew of its sending, there was a mail.
    const [delivery] = await tx
      .update(deliveries)
      .set({
        status: "sent",
        problem: null,
        messageId,
        finishedAt: sql`coalesce(${deliveries.finishedAt}, ${clock.now().toISOString()}::timestamptz)`,
      })
      .where(and(eq(deliveries.id, deliveryId), eq(deliveries.destination, "email")))
      .returning();
    if (!delivery?.recipient) return;
    if (outweighs(event, delivery))
      await tx
        .update(deliveries)
        .set({ receipt, receiptAt: at, receiptDetail: detail })
        .where(eq(deliveries.id, deliveryId));
    if (!endsMails) return;
    const [alert] = await tx
      .select({ keyId: alerts.keyId })
      .from(alerts)
      .where(eq(alerts.id, delivery.alertId));
    const reason = receipt === "complained" ? "complained" : "bounced";
    if (alert) await suppress({ db: tx, clock }, alert.keyId, delivery.recipient, reason);
    log.warn({ alertId: delivery.alertId, receipt }, "an address is not mailed any more");
  });
}

function outweighs(event: MailEvent, { receipt, receiptAt }: typeof deliveries.$inferSelect): boolean {
  if (receipt === null || receiptAt === null) return true;
  const more = RECEIPTS.indexOf(event.receipt) - RECEIPTS.indexOf(receipt);
  return more > 0 || (more === 0 && event.at > receiptAt);
}
