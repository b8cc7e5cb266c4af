import { sql } from "drizzle-orm";
import { check, integer, pgTable, text } from "drizzle-orm/pg-core";
import { dayColumn, instantColumn } from "./columns";
import { keyReference } from "./keys";

/** A second set of all tables, so that no statement of the public sandbox can name a real row. */
export const SANDBOX_SCHEMA = "sandbox";

/** Sessions of the sandbox. Only the table in its own schema has rows. */
export const sandboxSessions = pgTable(
  "sandbox_sessions",
  {
    /** A hash of the client's address and the name that it gave the session. */
    id: text().primaryKey(),
    keyId: keyReference(),
    /** A hash of the client's address. */
    address: text().notNull(),
    /** The day on which the histories of its creators begin. */
    startDay: dayColumn().notNull(),
    /** The time in the session. */
    clock: instantColumn().notNull(),
    /** Until when the daily runs are made. */
    runUntil: instantColumn().notNull(),
    requests: integer().notNull(),
    endsAt: instantColumn().notNull(),
  },
  (t) => [
    check("sandbox_sessions_runs_in_the_past", sql`${t.runUntil} <= ${t.clock}`),
    check("sandbox_sessions_requests_not_negative", sql`${t.requests} >= 0`),
  ],
);
