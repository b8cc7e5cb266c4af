import { sql } from "drizzle-orm";
import { getErrorMessage } from "@/core/errors";
import type { Monitoring } from "@/core/mail/monitoring";
import { DAY, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";

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
    await ctx.monitoring.notify(
      `An email of ${keyId} did not arrive (see \`npm run keys -- show ${keyId}\`): ${reason}`,
    );
  } catch (error) {
    ctx.log.error({ keyId, problem: getErrorMessage(error) }, "a refused mail could not be posted");
  }
}
