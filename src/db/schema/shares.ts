import { sql } from "drizzle-orm";
import { check, foreignKey, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instantColumn } from "./columns";
import { trackedCreators } from "./creators";
import { keyReference } from "./keys";
import { creatorLists } from "./lists";

/** Links to a creator's evidence card, or to a list. A link ends with the tracking of its creator, or with its list. */
export const shares = pgTable(
  "shares",
  {
    keyId: keyReference(),
    id: uuid().notNull().defaultRandom(),
    channelId: text(),
    listId: uuid(),
    /** SHA-256 of the link's token in hex. The token itself is not stored. */
    tokenHash: text().notNull().unique("shares_token_hash_unique"),
    createdAt: instantColumn().notNull(),
    expiresAt: instantColumn().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.id] }),
    foreignKey({
      name: "shares_tracked_fk",
      columns: [t.keyId, t.channelId],
      foreignColumns: [trackedCreators.keyId, trackedCreators.channelId],
    }).onDelete("cascade"),
    foreignKey({
      name: "shares_list_fk",
      columns: [t.keyId, t.listId],
      foreignColumns: [creatorLists.keyId, creatorLists.id],
    }).onDelete("cascade"),
    check("shares_creator_or_list", sql`(${t.channelId} is null) <> (${t.listId} is null)`),
    check("shares_token_hash_is_sha256", sql`${t.tokenHash} ~ '^[0-9a-f]{64}$'`),
    check("shares_expire_after_creation", sql`${t.expiresAt} > ${t.createdAt}`),
    index("shares_of_creator").on(t.keyId, t.channelId),
    index("shares_of_list").on(t.keyId, t.listId),
    index("shares_expire").on(t.expiresAt),
  ],
);
