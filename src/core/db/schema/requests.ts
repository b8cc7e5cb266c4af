import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, real, smallint, text } from "drizzle-orm/pg-core";
import { instantColumn } from "./columns";
import { keyReference } from "./keys";

/** Recent requests of each key, for its owner. Holds no key and no body. */
export const requestLog = pgTable(
  "request_log",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    keyId: keyReference(),
    at: instantColumn().notNull(),
    requestId: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    query: text().notNull(),
    status: smallint().notNull(),
    milliseconds: real().notNull(),
  },
  (t) => [
    index("request_log_page").on(t.keyId, t.at, t.id),
    check("request_log_texts_are_bounded", sql`char_length(${t.path} || ${t.query}) <= 1000`),
  ],
);
