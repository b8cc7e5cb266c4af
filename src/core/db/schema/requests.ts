import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, real, smallint, text } from "drizzle-orm/pg-core";
import { instantColumn } from "./columns";
import { keyReference } from "./keys";

/** The requests of each key in the last days, for its owner. Neither key nor body is in it. */
export const requestLog = pgTable(
  "request_log",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    keyId: keyReference(),
    /** When it came in. */
    at: instantColumn().notNull(),
    requestId: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    /** Parameters that the endpoint knows, as a query string; empty without any. */
    query: text().notNull(),
    status: smallint().notNull(),
    milliseconds: real().notNull(),
  },
  (table) => [
    // The page of a key's requests, read backwards for newest first.
    index("request_log_page").on(table.keyId, table.at, table.id),
    check("request_log_texts_are_bounded", sql`char_length(${table.path} || ${table.query}) <= 1000`),
  ],
);
