import { pgTable, unique } from "drizzle-orm/pg-core";
import { dayColumn, idColumn, instantColumn } from "./columns";
import { keyReference } from "./keys";

/** The keys that want the weekly digest. */
export const digestKeys = pgTable("digest_keys", {
  keyId: keyReference().primaryKey(),
  since: instantColumn().notNull(),
});

/** A key's digest of a week. Its mail is a delivery; a key without an address to mail has none. */
export const digests = pgTable(
  "digests",
  {
    id: idColumn(),
    keyId: keyReference(),
    /** The Monday on which it is sent. */
    week: dayColumn().notNull(),
    createdAt: instantColumn().notNull(),
  },
  (t) => [unique("digests_once_per_key_week").on(t.keyId, t.week)],
);
