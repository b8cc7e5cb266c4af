import { count, desc, eq } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { alertEmails, alerts } from "@/core/db/schema";
import { type PageQuery, type Pagination, pagination } from "@/core/page";
import { channelUrl } from "@/features/creators/rules";
import { growthBounds, growthPercent } from "@/features/growth/rules";
import type { KeyId } from "@/features/keys/schema";
import { isCertain } from "./rules";
import { ALERT_TYPE, type Alert } from "./schema";

/** A page of the key's alerts, newest first. */
export async function listAlerts(
  { db }: CoreContext,
  keyId: KeyId,
  page: PageQuery,
): Promise<{ pagination: Pagination; alerts: Alert[] }> {
  const [counted] = await db.select({ total: count() }).from(alerts).where(eq(alerts.keyId, keyId));
  const rows = await db
    .select({
      channelId: alerts.channelId,
      message: alerts.message,
      createdAt: alerts.createdAt,
      subscribersBefore: alerts.subscribersBefore,
      subscribersAfter: alerts.subscribersAfter,
      severity: alerts.severity,
    })
    .from(alerts)
    .where(eq(alerts.keyId, keyId))
    .orderBy(desc(alerts.createdAt), desc(alerts.id))
    .offset(page.offset)
    .limit(page.limit);
  return { pagination: pagination(page, counted?.total ?? 0), alerts: rows.map(asAlert) };
}

type AlertRow = Pick<
  typeof alerts.$inferSelect,
  "channelId" | "message" | "createdAt" | "subscribersBefore" | "subscribersAfter" | "severity"
>;

function asAlert(row: AlertRow): Alert {
  const { low, high } = growthBounds(row.subscribersBefore, row.subscribersAfter);
  return {
    channel_id: row.channelId,
    alert_type: ALERT_TYPE,
    message: row.message,
    created_at: row.createdAt.toISOString(),
    percent: growthPercent(row.subscribersBefore, row.subscribersAfter) ?? 0,
    subscribers_before: row.subscribersBefore,
    subscribers_after: row.subscribersAfter,
    growth_low: low,
    growth_high: high,
    certain: isCertain(row.subscribersBefore, row.subscribersAfter),
    severity: row.severity,
    channel_url: channelUrl(row.channelId),
    label: null,
    reason: null,
    outcome: null,
  };
}

/** The address that receives the key's growth alerts; null when none is set. */
export async function alertEmail({ db }: CoreContext, keyId: KeyId): Promise<string | null> {
  const [row] = await db
    .select({ email: alertEmails.email })
    .from(alertEmails)
    .where(eq(alertEmails.keyId, keyId));
  return row?.email ?? null;
}

/** Sets the one address that receives the key's growth alerts, in place of any earlier one. */
export async function setAlertEmail({ db, clock }: CoreContext, keyId: KeyId, email: string): Promise<void> {
  const setting = { email, setAt: clock.now() };
  await db
    .insert(alertEmails)
    .values({ keyId, ...setting })
    .onConflictDoUpdate({ target: alertEmails.keyId, set: setting });
}

/** Clears the key's alert address; clearing it again changes nothing. */
export async function clearAlertEmail({ db }: CoreContext, keyId: KeyId): Promise<void> {
  await db.delete(alertEmails).where(eq(alertEmails.keyId, keyId));
}
