import { sql } from "drizzle-orm";
import {
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { countColumn, dayColumn, instantColumn, isOneOf } from "./columns";
import { keyReference } from "./keys";

export const CHANNEL_STATUSES = ["active", "unavailable"] as const;
export const SCORE_BASES = ["history", "profile"] as const;
export const READING_SOURCES = ["daily", "track"] as const;

/**
 * The public facts of a channel, shared by all keys. Counts and everything derived from them are those of its latest
 * snapshot; of its latest look-up where it has no snapshot of that day or the day before.
 */
export const channels = pgTable(
  "channels",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    handle: text(),
    thumbnailUrl: text(),
    country: text(),
    status: text({ enum: CHANNEL_STATUSES }).notNull(),
    subscribers: countColumn(),
    views: countColumn(),
    videos: integer(),
    /** When the platform last showed it; null when it was never read, or its data was deleted since. */
    readAt: instantColumn(),
    /** Null without a subscriber count. */
    score: smallint(),
    scoreBasis: text({ enum: SCORE_BASES }).notNull(),
    scoreVersion: smallint().notNull(),
    growth1dPercent: doublePrecision("growth_1d_percent"),
    growth7dPercent: doublePrecision("growth_7d_percent"),
    /** Among channels of its size. */
    percentile: doublePrecision(),
    /** When its latest snapshot was read. */
    lastSnapshotAt: instantColumn(),
  },
  (table) => [
    check("channels_id_form", sql`${table.id} ~ '^UC[A-Za-z0-9_-]{22}$'`),
    check("channels_status_is_known", isOneOf(table.status, CHANNEL_STATUSES)),
    check("channels_score_range", sql`${table.score} between 0 and 100`),
    check("channels_score_needs_count", sql`(${table.score} is null) = (${table.subscribers} is null)`),
    check("channels_score_basis_is_known", isOneOf(table.scoreBasis, SCORE_BASES)),
    check("channels_percentile_range", sql`${table.percentile} between 0 and 100`),
  ],
);

export const channelReference = () =>
  text()
    .notNull()
    .references(() => channels.id);

/** One snapshot per channel and UTC day. */
export const snapshots = pgTable(
  "snapshots",
  {
    channelId: channelReference(),
    day: dayColumn().notNull(),
    readAt: instantColumn().notNull(),
    /** A daily reading replaces one that was taken for tracking or discovery. */
    source: text({ enum: READING_SOURCES }).notNull(),
    subscribers: countColumn(),
    views: countColumn(),
    videos: integer(),
    /** Null without a subscriber count. */
    score: smallint(),
    scoreVersion: smallint().notNull(),
    scoreParts: jsonb().$type<Record<string, number | null>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.day] }),
    check("snapshots_source_is_known", isOneOf(table.source, READING_SOURCES)),
    check(
      "snapshots_counts_not_negative",
      sql`least(${table.subscribers}, ${table.views}, ${table.videos}) >= 0`,
    ),
    check("snapshots_score_range", sql`${table.score} between 0 and 100`),
  ],
);

export const trackedCreators = pgTable(
  "tracked_creators",
  {
    keyId: keyReference(),
    channelId: channelReference(),
    trackedSince: instantColumn().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.channelId] }),
    // Pages of a key's creators, newest first.
    index("tracked_creators_page").on(table.keyId, table.trackedSince, table.channelId),
    // Finds the keys that track a channel, and the distinct tracked channels.
    index("tracked_creators_channel").on(table.channelId),
  ],
);
