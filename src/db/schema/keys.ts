import { type SQL, sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, primaryKey, real, smallint, text } from "drizzle-orm/pg-core";
import { ALLOWANCE_KINDS, AUDIT_ACTIONS, AUDIT_ACTORS, SUPPRESSION_REASONS, TIERS } from "../values";
import { checkKnown, dayColumn, idColumn, instantColumn, lowerCaseSql, requiredText } from "./columns";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: text().primaryKey(),
    /** SHA-256 of the key in hex. The key itself is not stored. */
    secretHash: text().notNull().unique("api_keys_secret_hash_unique"),
    /** The secret before the last rotation, while it still works. */
    previousSecretHash: text().unique("api_keys_previous_secret_hash_unique"),
    previousWorksUntil: instantColumn(),
    hint: text().notNull(),
    label: text().notNull(),
    tier: text({ enum: TIERS }).notNull(),
    createdAt: instantColumn().notNull(),
    rotatedAt: instantColumn(),
    revokedAt: instantColumn(),
  },
  (t) => [
    check("api_keys_secret_hash_is_sha256", sql`${t.secretHash} ~ '^[0-9a-f]{64}$'`),
    check("api_keys_previous_secret_hash_is_sha256", sql`${t.previousSecretHash} ~ '^[0-9a-f]{64}$'`),
    check(
      "api_keys_previous_secret_has_an_end",
      sql`(${t.previousSecretHash} is null) = (${t.previousWorksUntil} is null)`,
    ),
    ...checkKnown(t.tier),
    check("api_keys_label_length", sql`char_length(${t.label}) between 1 and 100`),
  ],
);

/** Whether a row of `api_keys` is an active key that this secret opens now. */
export function hasActiveSecret(secretHash: SQL | string, now: SQL | string): SQL {
  const { revokedAt, secretHash: current, previousSecretHash, previousWorksUntil } = apiKeys;
  return sql`${revokedAt} is null and (${current} = ${secretHash}
    or (${previousSecretHash} = ${secretHash} and ${previousWorksUntil} > ${now}::timestamptz))`;
}

/** When a secret that a rotation replaced stops working, as `"expiresAt"` in ISO 8601; null for the current one. */
export function selectExpirySql(secretHash: SQL): SQL {
  const { secretHash: current, previousWorksUntil } = apiKeys;
  return sql`case when ${current} <> ${secretHash} then
    to_char(${previousWorksUntil} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as "expiresAt"`;
}

export const keyReference = () => requiredText().references(() => apiKeys.id, { onDelete: "cascade" });

export const alertEmails = pgTable("alert_emails", {
  keyId: keyReference().primaryKey(),
  email: text().notNull(),
  setAt: instantColumn().notNull(),
});

export const suppressions = pgTable(
  "suppressions",
  {
    keyId: keyReference(),
    email: text().notNull(),
    reason: text({ enum: SUPPRESSION_REASONS }).notNull(),
    since: instantColumn().notNull(),
    confirmationSentAt: instantColumn(),
    isConfirmationUnknown: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.email] }),
    check("suppressions_email_is_lower_case", sql`${t.email} = ${lowerCaseSql(t.email)}`),
    ...checkKnown(t.reason),
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
  (t) => [primaryKey({ columns: [t.keyId, t.day] }), check("daily_usage_requests_positive", sql`${t.requests} > 0`)],
);

/** What was used of a day's allowance. The scope is a key, a client address, or the whole service. */
export const dailyAllowances = pgTable(
  "daily_allowances",
  {
    scope: requiredText(),
    kind: text({ enum: ALLOWANCE_KINDS }).notNull(),
    /** A UTC day; for platform units, the calendar day in Los Angeles. */
    day: dayColumn().notNull(),
    used: integer().notNull(),
    /** Until when nothing is left, whatever was used. */
    exhaustedUntil: instantColumn(),
    keyId: text().references(() => apiKeys.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.kind, t.day] }),
    index("daily_allowances_day").on(t.day),
    ...checkKnown(t.kind),
    check("daily_allowances_not_negative", sql`${t.used} >= 0`),
    check("daily_allowances_key_is_scope", sql`${t.keyId} = ${t.scope}`),
  ],
);

/** When PostgreSQL counts requests for all instances, because a call to Redis failed. */
export const redisOutages = pgTable("redis_outages", { until: instantColumn().primaryKey() });

/** Recent requests of each key, for its owner. Holds no key and no body. */
export const requestLog = pgTable(
  "request_log",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    keyId: keyReference(),
    at: instantColumn().notNull(),
    requestId: text().notNull(),
    method: text().notNull(),
    /** The path as the API documents it, such as `/api/track/{channel_id}`; `unknown` for others. */
    endpoint: text().notNull(),
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

/** What was done with each key, by whom and from where. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    keyId: keyReference(),
    at: instantColumn().notNull(),
    action: text({ enum: AUDIT_ACTIONS }).notNull(),
    actor: text({ enum: AUDIT_ACTORS }).notNull(),
    /** The client's address, or the machine of a command. */
    source: text().notNull(),
    /** `done`, or why it was refused. */
    outcome: text().notNull(),
  },
  (t) => [index("audit_log_page").on(t.keyId, t.at, t.id), ...checkKnown(t.action, t.actor)],
);

/** Open console sessions. Signing out deletes the row, which makes every copy of the cookie useless. */
export const consoleSessions = pgTable(
  "console_sessions",
  { id: idColumn(), keyId: keyReference(), begunAt: instantColumn().notNull() },
  (t) => [index("console_sessions_of_key").on(t.keyId, t.begunAt, t.id)],
);

export const failedSignIns = pgTable(
  "failed_sign_ins",
  // An IPv4 address, or the first 64 bits of an IPv6 address.
  { address: text().primaryKey(), since: instantColumn().notNull(), failures: integer().notNull() },
  (t) => [
    index("failed_sign_ins_since").on(t.since),
    check("failed_sign_ins_failures_positive", sql`${t.failures} > 0`),
  ],
);

/** Requests for a key, and the link by which one shows its key once. */
export const keyRequests = pgTable(
  "key_requests",
  {
    id: text().primaryKey(),
    name: requiredText(),
    email: requiredText(),
    tier: text({ enum: TIERS }).notNull(),
    purpose: requiredText(),
    requestedAt: instantColumn().notNull(),
    /** SHA-256 of the link's token in hex; null until the operator issues the key. */
    tokenHash: text().unique("key_requests_token_hash_unique"),
    /** Label and tier of the key that the link makes. */
    issuedLabel: text(),
    issuedTier: text({ enum: TIERS }),
    linkExpiresAt: instantColumn(),
    /** When the link made its key. Deleting the key deletes the request, with its name and address. */
    usedAt: instantColumn(),
    keyId: text().references(() => apiKeys.id, { onDelete: "cascade" }),
  },
  (t) => [
    ...checkKnown(t.tier, t.issuedTier),
    check("key_requests_name_length", sql`char_length(${t.name}) between 1 and 100`),
    check("key_requests_email_length", sql`char_length(${t.email}) between 3 and 254`),
    check("key_requests_purpose_length", sql`char_length(${t.purpose}) between 1 and 1000`),
    check("key_requests_token_hash_is_sha256", sql`${t.tokenHash} ~ '^[0-9a-f]{64}$'`),
    check(
      "key_requests_link_is_whole",
      sql`num_nulls(${t.tokenHash}, ${t.issuedLabel}, ${t.issuedTier}, ${t.linkExpiresAt}) in (0, 4)`,
    ),
    check("key_requests_used_makes_key", sql`num_nulls(${t.usedAt}, ${t.keyId}) in (0, 2)`),
    index("key_requests_requested_at").on(t.requestedAt),
  ],
);

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
