import { eq } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import { forgetAddresses } from "@/db/allowance";
import { alertEmails, alerts, deliveries, keyRequests, suppressions } from "@/db/schema";
import type { MailContext } from "@/features/context";
import { deleteKey } from "./service";

/** Deletes a key with all of its data, and the mails in the outbox that are to or about its addresses. @throws AppError `not_found` */
export async function eraseKey(ctx: MailContext, id: string): Promise<void> {
  const addresses = await listAddresses(ctx, id);
  await deleteKey(ctx, id);
  const counted = addresses.map((address) => address.toLowerCase());
  await forgetAddresses(ctx, counted);
  await ctx.mailer.forget?.(({ mail }) =>
    addresses.some((address) => mail.to === address || mail.text.includes(address)),
  );
}

/** All addresses that a key has used. */
async function listAddresses({ db }: MailContext, id: string): Promise<string[]> {
  const sent = db
    .select({ email: deliveries.recipient })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
    .where(eq(alerts.keyId, id));
  const current = db.select({ email: alertEmails.email }).from(alertEmails).where(eq(alertEmails.keyId, id));
  const ended = db.select({ email: suppressions.email }).from(suppressions).where(eq(suppressions.keyId, id));
  const requested = db.select({ email: keyRequests.email }).from(keyRequests).where(eq(keyRequests.keyId, id));
  const rows = await union(sent, current, ended, requested);
  return rows.flatMap(({ email }) => email ?? []);
}
