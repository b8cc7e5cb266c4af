import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
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
    // A batch's alerts of the day, and what hangs on a channel.
    index("alerts_channel").on(table.channelId, table.day),
    check(
      "alerts_growth_above_ten_percent",
      sql`${table.subscribersBefore} > 0 and ${table.subscribersAfter} * 10 > ${table.subscribersBefore} * 11`,
    ),
    check("alerts_severity_is_known", isOneOf(table.severity, SEVERITIES)),
  ],
);

export const DESTINATIONS = ["email", "monitoring"] as const;
export const DELIVERY_STATUSES = ["pending", "sending", "sent", "failed", "skipped", "unknown"] as const;

/**
 * What is to be told of an alert, and to whom; written together with the alert. A mail's rendered text stays with
 * it, so that every try sends the same bytes.
 */
export const deliveries = pgTable(
  "deliveries",
  {
    id: uuid().primaryKey().defaultRandom(),
    alertId: uuid()
      .notNull()
      .references(() => alerts.id, { onDelete: "cascade" }),
    destination: text({ enum: DESTINATIONS }).notNull(),
    /** The address at the time of the alert; null for the monitoring channel. */
    recipient: text(),
    mail: jsonb().$type<{ subject: string; html: string; text: string; headers: Record<string, string> }>(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    createdAt: instantColumn().notNull(),
    /** The first try, and the latest one. */
    begunAt: instantColumn(),
    triedAt: instantColumn(),
    finishedAt: instantColumn(),
    attempts: integer().notNull(),
    /** Why it failed, was skipped or is in doubt. */
    problem: text(),
  },
  (table) => [
    unique("deliveries_once_per_alert_destination").on(table.alertId, table.destination),
    // What the sweep looks for; finished deliveries, nearly all, are not in it.
    index("deliveries_open").on(table.createdAt).where(sql`${table.status} in ('pending', 'sending')`),
    // What the purge empties: the texts of yesterday's mails, never all deliveries there are.
    index("deliveries_mailed").on(table.finishedAt).where(sql`${table.mail} is not null`),
    check("deliveries_destination_is_known", isOneOf(table.destination, DESTINATIONS)),
    check("deliveries_status_is_known", isOneOf(table.status, DELIVERY_STATUSES)),
    check(
      "deliveries_email_has_recipient",
      sql`(${table.destination} = 'email') = (${table.recipient} is not null)`,
    ),
  ],
);

export const SUPPRESSION_REASONS = ["unsubscribed"] as const;

/** Addresses a key must not mail until the address itself confirms by a link. */
export const suppressions = pgTable(
  "suppressions",
  {
    keyId: keyReference(),
    email: text().notNull(),
    reason: text({ enum: SUPPRESSION_REASONS }).notNull(),
    since: instantColumn().notNull(),
    /** When it was last asked to confirm; it is asked at most once a day. */
    askedAt: instantColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.email] }),
    check("suppressions_email_is_lower_case", sql`${table.email} = lower(${table.email})`),
    check("suppressions_reason_is_known", isOneOf(table.reason, SUPPRESSION_REASONS)),
  ],
);
