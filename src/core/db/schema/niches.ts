import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { dayColumn, instantColumn, isOneOf } from "./columns";
import { channelReference } from "./creators";
import { keyReference } from "./keys";

/** The index of discovery: one entry for all spellings of a niche. */
export const niches = pgTable(
  "niches",
  {
    /** What its spellings have in common: see the rules of discovery. */
    niche: text().primaryKey(),
    /** As it is shown and searched for. */
    spelling: text().notNull(),
    /** When its creators were last looked up; null until the first look-up has ended. */
    refreshedAt: instantColumn(),
    /** Somebody looks it up now, or died doing so where this has passed. */
    claimedUntil: instantColumn(),
    /** When a question last asked for its renewal. */
    renewalAskedAt: instantColumn(),
    /** Another entry, asked for no less, that differs by a slip of the pen. */
    closeTo: text().references((): AnyPgColumn => niches.niche, { onDelete: "set null" }),
  },
  (table) => [
    check(
      "niches_is_filled_or_claimed",
      sql`coalesce(${table.refreshedAt}, ${table.claimedUntil}) is not null`,
    ),
  ],
);

const nicheReference = () =>
  text()
    .notNull()
    .references(() => niches.niche, { onDelete: "cascade" });

/** The candidates of a niche. */
export const nicheChannels = pgTable(
  "niche_channels",
  {
    niche: nicheReference(),
    channelId: channelReference(),
    /** When a look-up last found it. */
    foundAt: instantColumn().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.niche, table.channelId] }),
    // Whether any niche still holds a channel.
    index("niche_channels_channel").on(table.channelId),
  ],
);

/**
 * Which key asked for which niche on which day, in which spellings: the demand by which entries are renewed. Shown to
 * nobody.
 */
export const nicheQuestions = pgTable(
  "niche_questions",
  { niche: nicheReference(), keyId: keyReference(), day: dayColumn().notNull(), spelling: text().notNull() },
  (table) => [primaryKey({ columns: [table.niche, table.keyId, table.day, table.spelling] })],
);

export const SEARCH_PURPOSES = ["first", "renewal"] as const;

/** Look-ups begun per UTC day for the whole service: those of niches never asked before, and those of known ones. */
export const nicheSearches = pgTable(
  "niche_searches",
  {
    day: dayColumn().notNull(),
    purpose: text({ enum: SEARCH_PURPOSES }).notNull(),
    searches: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.purpose] }),
    check("niche_searches_purpose_is_known", isOneOf(table.purpose, SEARCH_PURPOSES)),
    check("niche_searches_not_negative", sql`${table.searches} >= 0`),
  ],
);

/** Look-ups of niches never asked before that a key has caused on a UTC day. */
export const keyNicheSearches = pgTable(
  "key_niche_searches",
  { keyId: keyReference(), day: dayColumn().notNull(), searches: integer().notNull() },
  (table) => [
    primaryKey({ columns: [table.keyId, table.day] }),
    check("key_niche_searches_not_negative", sql`${table.searches} >= 0`),
  ],
);
