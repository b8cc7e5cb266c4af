import { desc, eq, lt, sql } from "drizzle-orm";
import { isAppError } from "@/core/errors";
import { DAY, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { auditLog } from "@/db/schema";

const KEPT_DAYS = 90;

/** An entry of a key's log. */
export type AuditEntry = Omit<typeof auditLog.$inferSelect, "id" | "keyId">;
type AuditedWork = Omit<AuditEntry, "at" | "outcome">;

/** Does work on a key and notes who did it, from where, and its outcome. A key that does not exist leaves no entry. */
export async function audit<T>(ctx: CoreContext, keyId: string, entry: AuditedWork, work: () => Promise<T>) {
  try {
    const result = await work();
    await note(ctx, keyId, entry, "done");
    return result;
  } catch (error) {
    if (isAppError(error)) await note(ctx, keyId, entry, error.message);
    throw error;
  }
}

async function note({ db, clock }: CoreContext, keyId: string, entry: AuditedWork, outcome: string): Promise<void> {
  const { action, actor, source } = entry;
  await db.execute(sql`
    insert into audit_log (key_id, at, action, actor, source, outcome)
    select id, ${clock.now().toISOString()}::timestamptz, ${action}, ${actor}, ${source}, ${outcome}
    from api_keys where id = ${keyId}`);
}

/** The entries of a key, newest first. */
export function listAuditEntries({ db }: CoreContext, keyId: string, limit: number): Promise<AuditEntry[]> {
  const { at, action, actor, source, outcome } = auditLog;
  return db
    .select({ at, action, actor, source, outcome })
    .from(auditLog)
    .where(eq(auditLog.keyId, keyId))
    .orderBy(desc(at), desc(auditLog.id))
    .limit(limit);
}

/** Deletes entries after 90 days. */
export async function purgeAuditLog({ db, clock }: CoreContext): Promise<void> {
  await db.delete(auditLog).where(lt(auditLog.at, toDate(clock.now().getTime() - KEPT_DAYS * DAY)));
}
