import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { CHANGE_KINDS } from "../values";
import { alerts } from "./alerts";
import { instantColumn, isOneOfSql } from "./columns";
import { keyReference } from "./keys";

/** The latest position in each key's feed. Its row is locked by the transaction that takes the next ones. */
export const keyPositions = pgTable(
  "key_positions",
  {
    keyId: keyReference().primaryKey(),
    position: bigint({ mode: "number" }).notNull(),
    /** Changes up to here are no longer in the feed. */
    purged: bigint({ mode: "number" }).notNull(),
  },
  (t) => [check("key_positions_in_order", sql`0 <= ${t.purged} and ${t.purged} <= ${t.position}`)],
);

/** What changed for a key, in the order in which it was committed. The creation of an alert stays as long as the alert. */
export const changes = pgTable(
  "changes",
  {
    keyId: text()
      .notNull()
      .references(() => keyPositions.keyId, { onDelete: "cascade" }),
    position: bigint({ mode: "number" }).notNull(),
    kind: text({ enum: CHANGE_KINDS }).notNull(),
    at: instantColumn().notNull(),
    /** No reference, because a channel may be deleted earlier. */
    channelId: text().notNull(),
    /** The new name, where the channel was renamed. */
    name: text(),
    alertId: uuid().references(() => alerts.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.position] }),
    unique("changes_once_per_alert").on(t.alertId, t.kind),
    index("changes_age").on(t.at),
    check("changes_kind_is_known", isOneOfSql(t.kind, CHANGE_KINDS)),
    check("changes_name_of_renamed", sql`(${t.name} is not null) = (${t.kind} = 'renamed')`),
    check(
      "changes_alert_of_alerts",
      sql`(${t.alertId} is not null) = (${t.kind} in ('alert_created', 'outcome_7d', 'outcome_28d'))`,
    ),
  ],
);
