import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { Mail } from "@/core/mail/email";
import { MAIL_EVENT_STATUSES } from "@/core/mail/email";
import { ALERT_LABELS, CHANGE_KINDS, DELIVERY_STATUSES, DESTINATIONS, OUTCOMES, SEVERITIES } from "../values";
import { checkKnown, countColumn, dayColumn, idColumn, instantColumn } from "./columns";
import { channelReference, ownedChannelReference } from "./creators";
import { keyReference } from "./keys";

export const alerts = pgTable(
  "alerts",
  {
    id: idColumn(),
    keyId: keyReference(),
    channelId: channelReference(),
    /** UTC day of the snapshot that grew. The baseline is the day before. */
    day: dayColumn().notNull(),
    subscribersBefore: countColumn().notNull(),
    subscribersAfter: countColumn().notNull(),
    severity: text({ enum: SEVERITIES }).notNull(),
    message: text().notNull(),
    createdAt: instantColumn().notNull(),
    /** When the key's owner read it in the console; null while unread. */
    readAt: instantColumn(),
    label: text({ enum: ALERT_LABELS }),
    reason: text(),
    /** Share of similar alerts that held for 7 days, corrected by the service's own record. */
    heldChance: doublePrecision(),
    /** The same before the correction, by which the record goes on. */
    fittedHeldChance: doublePrecision(),
    /** Whether the platform may not have updated the baseline, so that the rise may cover two days. */
    baselineFrozen: boolean().notNull().default(false),
    outcome7d: text("outcome_7d", { enum: OUTCOMES }),
    outcome7dAt: instantColumn("outcome_7d_at"),
    outcome28d: text("outcome_28d", { enum: OUTCOMES }),
    outcome28dAt: instantColumn("outcome_28d_at"),
  },
  (t) => [
    unique("alerts_once_per_key_channel_day").on(t.keyId, t.channelId, t.day),
    index("alerts_page").on(t.keyId, t.createdAt, t.id),
    index("alerts_unread").on(t.keyId).where(sql`${t.readAt} is null`),
    index("alerts_channel").on(t.channelId),
    index("alerts_day").on(t.day, t.channelId),
    index("alerts_ungraded").on(t.day).where(sql`${t.outcome7d} is null or ${t.outcome28d} is null`),
    check(
      "alerts_growth_above_ten_percent",
      sql`${t.subscribersBefore} > 0 and ${t.subscribersAfter} * 10 > ${t.subscribersBefore} * 11`,
    ),
    ...checkKnown(t.severity, t.label, t.outcome7d, t.outcome28d),
    check("alerts_label_has_reason", sql`(${t.label} is null) = (${t.reason} is null)`),
    check("alerts_held_chance_range", sql`${t.heldChance} between 0 and 1`),
    check(
      "alerts_outcome_has_instant",
      sql`(${t.outcome7d} is null) = (${t.outcome7dAt} is null) and (${t.outcome28d} is null) = (${t.outcome28dAt} is null)`,
    ),
  ],
);

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

/** Creators whose alerts a key gets without email. */
export const mutedCreators = pgTable(
  "muted_creators",
  {
    keyId: keyReference(),
    channelId: ownedChannelReference(),
    mutedAt: instantColumn().notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.channelId] }), index("muted_creators_channel").on(t.channelId)],
);

/** One mail or post about an alert, or the mail of a digest. The rendered mail is stored, so that every try sends the same bytes. */
export const deliveries = pgTable(
  "deliveries",
  {
    id: idColumn(),
    alertId: uuid().references(() => alerts.id, { onDelete: "cascade" }),
    digestId: uuid().references(() => digests.id, { onDelete: "cascade" }),
    destination: text({ enum: DESTINATIONS }).notNull(),
    /** The address of an email; null for other destinations. Readers take a row with it for an email. */
    recipient: text(),
    mail: jsonb().$type<Pick<Mail, "from" | "subject" | "html" | "text" | "headers">>(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    createdAt: instantColumn().notNull(),
    /** The latest attempt. In the future while the destination's Retry-After runs. */
    triedAt: instantColumn(),
    /** The earliest attempt with an unknown outcome; null when there is none. */
    outcomeUnknownSince: instantColumn(),
    finishedAt: instantColumn(),
    attempts: integer().notNull(),
    problem: text(),
    messageId: text(),
    receipt: text({ enum: MAIL_EVENT_STATUSES }),
    receiptAt: instantColumn(),
    receiptDetail: text(),
  },
  (t) => [
    unique("deliveries_once_per_alert_destination").on(t.alertId, t.destination),
    unique("deliveries_once_per_digest").on(t.digestId),
    index("deliveries_open").on(t.createdAt).where(sql`${t.status} in ('pending', 'sending')`),
    index("deliveries_mailed").on(t.finishedAt).where(sql`${t.mail} is not null`),
    check("deliveries_of_alert_or_digest", sql`num_nonnulls(${t.alertId}, ${t.digestId}) = 1`),
    ...checkKnown(t.destination, t.status, t.receipt),
    check("deliveries_email_has_recipient", sql`(${t.destination} = 'email') = (${t.recipient} is not null)`),
  ],
);

export const mailEvents = pgTable("mail_events", {
  id: text().primaryKey(),
  receivedAt: instantColumn().notNull(),
});

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
    ...checkKnown(t.kind),
    check("changes_name_of_renamed", sql`(${t.name} is not null) = (${t.kind} = 'renamed')`),
    check(
      "changes_alert_of_alerts",
      sql`(${t.alertId} is not null) = (${t.kind} in ('alert_created', 'outcome_7d', 'outcome_28d'))`,
    ),
  ],
);
