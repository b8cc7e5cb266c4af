import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { dayColumn, instantColumn, requiredText } from "./columns";
import { channelReference } from "./creators";
import { keyReference } from "./keys";

/** The discovery index: one row for all spellings of a niche. */
export const niches = pgTable(
  "niches",
  {
    niche: text().primaryKey(),
    spelling: text().notNull(),
    refreshedAt: instantColumn(),
    /** Until when a search in progress holds the niche. A time in the past means that the search was cut off. */
    claimedUntil: instantColumn(),
    renewalRequestedAt: instantColumn(),
    /** A niche of at least the same demand from which this one differs by a typo. */
    closeTo: text().references((): AnyPgColumn => niches.niche, { onDelete: "set null" }),
  },
  (t) => [check("niches_is_filled_or_claimed", sql`coalesce(${t.refreshedAt}, ${t.claimedUntil}) is not null`)],
);

const nicheReference = () => requiredText().references(() => niches.niche, { onDelete: "cascade" });

export const nicheChannels = pgTable(
  "niche_channels",
  { niche: nicheReference(), channelId: channelReference(), foundAt: instantColumn().notNull() },
  (t) => [primaryKey({ columns: [t.niche, t.channelId] }), index("niche_channels_channel").on(t.channelId)],
);

/** Which key searched which niche on which day: this demand decides what is refreshed. Internal. */
export const nicheRequests = pgTable(
  "niche_requests",
  { niche: nicheReference(), keyId: keyReference(), day: dayColumn().notNull(), spelling: text().notNull() },
  (t) => [primaryKey({ columns: [t.niche, t.keyId, t.day, t.spelling] })],
);

/** Niches queued for a key because no search was left that day. */
export const nicheQueue = pgTable(
  "niche_queue",
  {
    keyId: keyReference(),
    niche: text().notNull(),
    spelling: text().notNull(),
    queuedAt: instantColumn().notNull(),
    /** Rows of a lower turn are searched first. A key has at most a day of searches in one turn. */
    turn: integer().notNull(),
    /** When the platform has searches again, if it had none. */
    earliestAt: instantColumn(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.niche] }), index("niche_queue_niche").on(t.niche)],
);
