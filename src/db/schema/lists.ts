import { sql } from "drizzle-orm";
import { check, foreignKey, index, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { dayColumn, instantColumn } from "./columns";
import { ownedChannelReference, trackedCreators } from "./creators";
import { keyReference } from "./keys";

/** What a key organises is its own, also in the index: every primary key begins with it. */
const ownId = () => uuid().notNull().defaultRandom();

const names = () => ({
  name: text().notNull(),
  /** The name in a form that is the same for all cases. */
  foldedName: text().notNull(),
  createdAt: instantColumn().notNull(),
});

export const creatorLists = pgTable("creator_lists", { keyId: keyReference(), id: ownId(), ...names() }, (t) => [
  primaryKey({ columns: [t.keyId, t.id] }),
  unique("creator_lists_name").on(t.keyId, t.foldedName),
  check("creator_lists_name_length", sql`char_length(${t.name}) between 1 and 40`),
]);

export const listCreators = pgTable(
  "list_creators",
  {
    keyId: keyReference(),
    listId: uuid().notNull(),
    channelId: ownedChannelReference(),
    /** The day of the first purge since the key stopped tracking the creator; null while it tracks it. */
    untrackedOn: dayColumn(),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.listId, t.channelId] }),
    foreignKey({
      name: "list_creators_list_fk",
      columns: [t.keyId, t.listId],
      foreignColumns: [creatorLists.keyId, creatorLists.id],
    }).onDelete("cascade"),
    index("list_creators_channel").on(t.channelId),
  ],
);

export const creatorNotes = pgTable(
  "creator_notes",
  {
    keyId: keyReference(),
    channelId: ownedChannelReference(),
    note: text().notNull(),
    savedAt: instantColumn().notNull(),
    /** As in `list_creators`. */
    untrackedOn: dayColumn(),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.channelId] }),
    check("creator_notes_length", sql`char_length(${t.note}) between 1 and 2000`),
    index("creator_notes_channel").on(t.channelId),
  ],
);

export const savedViews = pgTable(
  "saved_views",
  {
    keyId: keyReference(),
    id: ownId(),
    ...names(),
    /** The query string of the overview's URL. */
    query: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.id] }),
    unique("saved_views_name").on(t.keyId, t.foldedName),
    check("saved_views_name_length", sql`char_length(${t.name}) between 1 and 40`),
    check("saved_views_query_length", sql`char_length(${t.query}) <= 1000`),
  ],
);

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
