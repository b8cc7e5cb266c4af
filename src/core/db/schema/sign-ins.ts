import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instantColumn } from "./columns";

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
