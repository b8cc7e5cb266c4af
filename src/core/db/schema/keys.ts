import { sql } from "drizzle-orm";
import { boolean, check, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { TIERS } from "@/core/config/tiers";
import { dayColumn, instantColumn, isOneOf, lowerCase, requiredText } from "./columns";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: text().primaryKey(),
    /** SHA-256 of the key in hex. The key itself is not stored. */
    secretHash: text().notNull().unique("api_keys_secret_hash_unique"),
    hint: text().notNull(),
    label: text().notNull(),
    tier: text({ enum: TIERS }).notNull(),
    createdAt: instantColumn().notNull(),
    rotatedAt: instantColumn(),
    revokedAt: instantColumn(),
  },
  (t) => [
    check("api_keys_secret_hash_is_sha256", sql`${t.secretHash} ~ '^[0-9a-f]{64}$'`),
    check("api_keys_tier_is_known", isOneOf(t.tier, TIERS)),
    check("api_keys_label_length", sql`char_length(${t.label}) between 1 and 100`),
  ],
);

export const keyReference = () => requiredText().references(() => apiKeys.id, { onDelete: "cascade" });

export const alertEmails = pgTable("alert_emails", {
  keyId: keyReference().primaryKey(),
  email: text().notNull(),
  setAt: instantColumn().notNull(),
});

export const SUPPRESSION_REASONS = ["unsubscribed", "bounced", "complained"] as const;

export const suppressions = pgTable(
  "suppressions",
  {
    keyId: keyReference(),
    email: text().notNull(),
    reason: text({ enum: SUPPRESSION_REASONS }).notNull(),
    since: instantColumn().notNull(),
    askedAt: instantColumn(),
    isAskInDoubt: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.email] }),
    check("suppressions_email_is_lower_case", sql`${t.email} = ${lowerCase(t.email)}`),
    check("suppressions_reason_is_known", isOneOf(t.reason, SUPPRESSION_REASONS)),
  ],
);

/** Requests per key and UTC day: both the quota counter and the usage history. */
export const dailyUsage = pgTable(
  "daily_usage",
  {
    keyId: keyReference(),
    day: dayColumn().notNull(),
    requests: integer().notNull(),
    lastRequestAt: instantColumn().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.day] }),
    check("daily_usage_requests_positive", sql`${t.requests} > 0`),
  ],
);

export const testMails = pgTable(
  "test_mails",
  { keyId: keyReference().primaryKey(), day: dayColumn().notNull(), sent: integer().notNull() },
  (t) => [check("test_mails_at_most_three_a_day", sql`${t.sent} between 0 and 3`)],
);
