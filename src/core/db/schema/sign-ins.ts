import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instantColumn } from "./columns";
import { keyReference } from "./keys";

/**
 * The console's sessions that have not been signed out of. A cookie is worth nothing without its row, whoever holds a
 * copy of it.
 */
export const consoleSessions = pgTable(
  "console_sessions",
  { id: uuid().primaryKey().defaultRandom(), keyId: keyReference(), begunAt: instantColumn().notNull() },
  (table) => [index("console_sessions_of_key").on(table.keyId, table.begunAt, table.id)],
);

/** Sign-ins that failed lately, per address they came from. A row is deleted when its time is over. */
export const failedSignIns = pgTable(
  "failed_sign_ins",
  {
    /** An IPv4 address, or the first 64 bits of an IPv6 one. */
    address: text().primaryKey(),
    since: instantColumn().notNull(),
    failures: integer().notNull(),
  },
  (table) => [
    index("failed_sign_ins_since").on(table.since),
    check("failed_sign_ins_failures_positive", sql`${table.failures} > 0`),
  ],
);
