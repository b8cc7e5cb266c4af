import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { idColumn, instantColumn } from "./columns";
import { keyReference } from "./keys";

/** Open console sessions. Signing out deletes the row, which makes every copy of the cookie useless. */
export const consoleSessions = pgTable(
  "console_sessions",
  { id: idColumn(), keyId: keyReference(), begunAt: instantColumn().notNull() },
  (t) => [index("console_sessions_of_key").on(t.keyId, t.begunAt, t.id)],
);

export const failedSignIns = pgTable(
  "failed_sign_ins",
  // An IPv4 address, or the first 64 bits of an IPv6 address.
  { address: text().primaryKey(), since: instantColumn().notNull(), failures: integer().notNull() },
  (t) => [
    index("failed_sign_ins_since").on(t.since),
    check("failed_sign_ins_failures_positive", sql`${t.failures} > 0`),
  ],
);
