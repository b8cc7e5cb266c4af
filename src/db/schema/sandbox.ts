import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { dayColumn, instantColumn, requiredText } from "./columns";
import { keyReference } from "./keys";

/** A second set of all tables, so that no statement of the public sandbox can name a real row. */
export const SANDBOX_SCHEMA = "sandbox";

/** Sessions of the sandbox. Only the table in its own schema has rows. */
export const sandboxSessions = pgTable("sandbox_sessions", {
  /** A hash of the client's address and the name that it gave the session. */
  id: text().primaryKey(),
  keyId: keyReference(),
  /** A hash of the client's address. */
  address: requiredText(),
  /** The day that follows the history of its creators. */
  startDay: dayColumn().notNull(),
  /** The time in the session, until when its daily runs are made. */
  clock: instantColumn().notNull(),
  requests: integer().notNull(),
  endsAt: instantColumn().notNull(),
});
