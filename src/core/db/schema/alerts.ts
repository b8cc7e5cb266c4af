import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { countColumn, dayColumn, instantColumn, isOneOf, lowerCase } from "./columns";
import { channels } from "./creators";
import { keyReference } from "./keys";

/** Severity of an alert, strongest first. Stored, so that alerts can be filtered by it. */
export const SEVERITIES = ["EXPLOSIVE", "SURGING", "RISING FAST", "WATCH"] as const;

/** Whether an alert continues a rise, judged by the snapshots before it. */
export const ALERT_LABELS = ["sustained", "spike", "too_early"] as const;

/** How a rise went on in the days after its alert. */
export const OUTCOMES = ["held", "faded", "unclear"] as const;

export const alerts = pgTable(
  "alerts",
  {
    id: uuid().primaryKey().defaultRandom(),
    keyId: keyReference(),
    channelId: text()
      .notNull()
      .references(() => channels.id),
    /** UTC day of the snapshot that grew. The baseline is the day before. */
    day: dayColumn().notNull(),
    subscribersBefore: countColumn().notNull(),
    subscribersAfter: countColumn().notNull(),
    severity: text({ enum: SEVERITIES }).notNull(),
    message: text().notNull(),
    createdAt: instantColumn().notNull(),
    /** The label is set when the alert is created; the reason is a sentence that explains it. */
    label: text({ enum: ALERT_LABELS }),
    reason: text(),
    /** Graded 7 and 28 days later; null until then. */
    outcome7d: text("outcome_7d", { enum: OUTCOMES }),
    outcome7dAt: instantColumn("outcome_7d_at"),
    outcome28d: text("outcome_28d", { enum: OUTCOMES }),
    outcome28dAt: instantColumn("outcome_28d_at"),
  },
  (table) => [
    unique("alerts_once_per_key_channel_day").on(table.keyId, table.channelId, table.day),
    // Pages of a key's alerts, newest first.
    index("alerts_page").on(table.keyId, table.createdAt, table.id),
    // The purge checks it before it deletes a channel.
    index("alerts_channel").on(table.channelId),
    check(
      "alerts_growth_above_ten_percent",
      sql`${table.subscribersBefore} > 0 and ${table.subscribersAfter} * 10 > ${table.subscribersBefore} * 11`,
    ),
    // The daily grading finds the few alerts that are not graded yet.
    index("alerts_ungraded")
      .on(table.day)
      .where(sql`${table.outcome7d} is null or ${table.outcome28d} is null`),
    // A batch finds its alerts of the day; the public figures read the latest days.
    index("alerts_day").on(table.day, table.channelId),
    check("alerts_severity_is_known", isOneOf(table.severity, SEVERITIES)),
    check("alerts_label_is_known", isOneOf(table.label, ALERT_LABELS)),
    check("alerts_label_has_reason", sql`(${table.label} is null) = (${table.reason} is null)`),
    check("alerts_outcome_7d_is_known", isOneOf(table.outcome7d, OUTCOMES)),
    check("alerts_outcome_28d_is_known", isOneOf(table.outcome28d, OUTCOMES)),
    check(
      "alerts_outcome_has_instant",
      sql`(${table.outcome7d} is null) = (${table.outcome7dAt} is null) and (${table.outcome28d} is null) = (${table.outcome28dAt} is null)`,
    ),
  ],
);

export const DESTINATIONS = ["email", "monitoring"] as const;
export const DELIVERY_STATUSES = ["pending", "sending", "sent", "failed", "skipped", "unknown"] as const;
/** What became of a mail after the mail service accepted it, mildest first. The worst one is stored. */
export const RECEIPTS = ["delayed", "delivered", "failed", "bounced", "complained"] as const;

/** A mail as every try sends it. */
interface StoredMail {
  from?: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
}

/** One mail or post about an alert, created with the alert. The rendered mail is stored, so that every try sends the same bytes. */
export const deliveries = pgTable(
  "deliveries",
  {
    id: uuid().primaryKey().defaultRandom(),
    alertId: uuid()
      .notNull()
      .references(() => alerts.id, { onDelete: "cascade" }),
    destination: text({ enum: DESTINATIONS }).notNull(),
    /** The address of the latest try, at first that of the alert. Null for the monitoring channel. */
    recipient: text(),
    mail: jsonb().$type<StoredMail>(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    createdAt: instantColumn().notNull(),
    /** The latest try. In the future while the destination asks to wait. */
    triedAt: instantColumn(),
    /** The earliest try that may have been accepted without our knowing; null while no outcome is unknown. */
    outcomeUnknownSince: instantColumn(),
    finishedAt: instantColumn(),
    attempts: integer().notNull(),
    /** Why it failed, was skipped or is unknown. */
    problem: text(),
    /** The mail service's id of a mail, and the worst event it reported: what, when, and its explanation. */
    messageId: text(),
    receipt: text({ enum: RECEIPTS }),
    receiptAt: instantColumn(),
    receiptDetail: text(),
  },
  (table) => [
    unique("deliveries_once_per_alert_destination").on(table.alertId, table.destination),
    // The sweep finds the few deliveries that are not finished.
    index("deliveries_open").on(table.createdAt).where(sql`${table.status} in ('pending', 'sending')`),
    // The purge finds the few deliveries that still have their mail.
    index("deliveries_mailed").on(table.finishedAt).where(sql`${table.mail} is not null`),
    check("deliveries_destination_is_known", isOneOf(table.destination, DESTINATIONS)),
    check("deliveries_status_is_known", isOneOf(table.status, DELIVERY_STATUSES)),
    check("deliveries_receipt_is_known", isOneOf(table.receipt, RECEIPTS)),
    check(
      "deliveries_email_has_recipient",
      sql`(${table.destination} = 'email') = (${table.recipient} is not null)`,
    ),
  ],
);

/** Events of the mail service that were processed, so that a repeated one counts once. */
export const mailEvents = pgTable("mail_events", {
  id: text().primaryKey(),
  receivedAt: instantColumn().notNull(),
});

export const SUPPRESSION_REASONS = ["unsubscribed", "bounced", "complained"] as const;

/** Addresses that a key must not mail until they confirm by a link. */
export const suppressions = pgTable(
  "suppressions",
  {
    keyId: keyReference(),
    email: text().notNull(),
    reason: text({ enum: SUPPRESSION_REASONS }).notNull(),
    since: instantColumn().notNull(),
    /** When the confirmation mail was last sent. */
    askedAt: instantColumn(),
    /** Whether it is unknown if that mail left. */
    isAskInDoubt: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.email] }),
    check("suppressions_email_is_lower_case", sql`${table.email} = ${lowerCase(table.email)}`),
    check("suppressions_reason_is_known", isOneOf(table.reason, SUPPRESSION_REASONS)),
  ],
);
