import { and, eq, isNull } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alerts } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import type { InboxFilter } from "./inbox.schema";
import { matchesInboxFilterSql } from "./inbox.service";

/** How many of the key's alerts are unread. */
export function countUnreadAlerts({ db }: CoreContext, keyId: KeyId): Promise<number> {
  return db.$count(alerts, and(eq(alerts.keyId, keyId), isNull(alerts.readAt)));
}

/** Marks one of the key's alerts as read or unread. @throws AppError `not_found` */
export async function markAlert({ db, clock }: CoreContext, keyId: KeyId, id: string, isRead: boolean): Promise<void> {
  const { count } = await db
    .update(alerts)
    .set({ readAt: isRead ? clock.now() : null })
    .where(and(eq(alerts.keyId, keyId), eq(alerts.id, id)));
  if (count === 0) throw new AppError("not_found", "There is no such alert");
}

/**
 * Marks the key's unread alerts that match a filter as read.
 * @returns how many there were, and the instant by which {@link undoAllRead} finds them
 */
export async function markAllRead({ db, clock }: CoreContext, keyId: KeyId, filter: InboxFilter) {
  const at = clock.now();
  const { count } = await db
    .update(alerts)
    .set({ readAt: at })
    .where(matchesInboxFilterSql(keyId, { ...filter, unread: true }));
  return { marked: count, at: at.toISOString() };
}

/** Makes the key's alerts unread again that were marked at an instant. */
export async function undoAllRead({ db }: CoreContext, keyId: KeyId, at: string): Promise<void> {
  await db
    .update(alerts)
    .set({ readAt: null })
    .where(and(eq(alerts.keyId, keyId), eq(alerts.readAt, toDate(at))));
}
