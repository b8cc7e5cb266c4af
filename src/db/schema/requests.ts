import { sql } from "drizzle-orm";
import { check, index, pgTable, text } from "drizzle-orm/pg-core";
import { TIERS } from "@/db/values";
import { instantColumn, isOneOfSql, requiredText } from "./columns";
import { apiKeys } from "./keys";

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
    check("key_requests_tier_is_known", isOneOfSql(t.tier, TIERS)),
    check("key_requests_issued_tier_is_known", isOneOfSql(t.issuedTier, TIERS)),
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
