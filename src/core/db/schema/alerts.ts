import { sql } from "drizzle-orm";
import { check, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { countColumn, dayColumn, instantColumn, isOneOf } from "./columns";
import { channels } from "./creators";
import { keyReference } from "./keys";

/** Email severity by one-day growth, strongest first; stored so that alerts can be filtered by it. */
export const SEVERITIES = ["EXPLOSIVE", "SURGING", "RISING FAST", "WATCH"] as const;

export const alerts = pgTable(
  "alerts",
  {
    id: uuid().primaryKey().defaultRandom(),
    keyId: keyReference(),
    channelId: text()
      .notNull()
      .references(() => channels.id),
    /** The UTC day of the reading that grew; its baseline is the day before. */
    day: dayColumn().notNull(),
    subscribersBefore: countColumn().notNull(),
    subscribersAfter: countColumn().notNull(),
    severity: text({ enum: SEVERITIES }).notNull(),
    message: text().notNull(),
    createdAt: instantColumn().notNull(),
  },
  (table) => [
    unique("alerts_once_per_key_channel_day").on(table.keyId, table.channelId, table.day),
    // The page of a key's alerts, read backwards for newest first.
    index("alerts_page").on(table.keyId, table.createdAt, table.id),
    check(
      "alerts_growth_above_ten_percent",
      sql`${table.subscribersBefore} > 0 and ${table.subscribersAfter} * 10 > ${table.subscribersBefore} * 11`,
    ),
    check("alerts_severity_is_known", isOneOf(table.severity, SEVERITIES)),
  ],
);
