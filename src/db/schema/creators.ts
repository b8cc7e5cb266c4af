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
import { BROADCASTS, CAUSE_KINDS, CAUSE_PROBLEMS, CHANNEL_STATUSES, SCORE_BASES, SNAPSHOT_SOURCES } from "../values";
import {
  checkKnown,
  countColumn,
  countColumns,
  dayColumn,
  instantColumn,
  lowerCaseSql,
  percentColumn,
  requiredText,
} from "./columns";
import { keyReference } from "./keys";

/** Chances of 5% growth within 7 days and of 20% within 28, and growth in percent that 8 in 10 channels stay within. */
const forecastColumns = () => ({
  chance7d: doublePrecision("chance_7d"),
  chance28d: doublePrecision("chance_28d"),
  expected7d: jsonb("expected_7d").$type<{ low: number; high: number }>(),
  expected28d: jsonb("expected_28d").$type<{ low: number; high: number }>(),
});

/** Public facts of a channel, shared by all keys. Counts and figures are those of its latest snapshot or look-up. */
export const channels = pgTable(
  "channels",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    handle: text(),
    thumbnailUrl: text(),
    country: text(),
    status: text({ enum: CHANNEL_STATUSES }).notNull(),
    ...countColumns(),
    /** When the platform last showed it; null when it was never read. */
    readAt: instantColumn(),
    score: smallint(),
    scoreBasis: text({ enum: SCORE_BASES }).notNull(),
    scoreVersion: smallint().notNull(),
    /** The chances are corrected by the own record. Null without measured growth. */
    ...forecastColumns(),
    /** Why it has this score, in one sentence; null without measured growth. */
    reason: text(),
    growth1dPercent: percentColumn("growth_1d_percent"),
    growth7dPercent: percentColumn("growth_7d_percent"),
    growth28dPercent: percentColumn("growth_28d_percent"),
    percentile: percentColumn(),
    lastSnapshotAt: instantColumn(),
    /** When its videos were last asked for. */
    videosTriedAt: instantColumn(),
  },
  (t) => [
    check("channels_id_form", sql`${t.id} ~ '^UC[A-Za-z0-9_-]{22}$'`),
    ...checkKnown(t.status, t.scoreBasis),
    check("channels_score_range", sql`${t.score} between 0 and 100`),
    check("channels_score_needs_count", sql`(${t.score} is null) = (${t.subscribers} is null)`),
    check("channels_chances_range", sql`${t.chance7d} between 0 and 1 and ${t.chance28d} between 0 and 1`),
    check("channels_percentile_range", sql`${t.percentile} between 0 and 100`),
    index("channels_handle").on(lowerCaseSql(t.handle)),
  ],
);

export const channelReference = () => requiredText().references(() => channels.id);
/** Of a row that goes with the channel, unlike a snapshot or an alert. */
export const ownedChannelReference = () => requiredText().references(() => channels.id, { onDelete: "cascade" });

export const snapshots = pgTable(
  "snapshots",
  {
    channelId: channelReference(),
    day: dayColumn().notNull(),
    readAt: instantColumn().notNull(),
    /** A daily snapshot replaces one taken for tracking or discovery. */
    source: text({ enum: SNAPSHOT_SOURCES }).notNull(),
    ...countColumns(),
    score: smallint(),
    scoreVersion: smallint().notNull(),
    /** Before correction, so that grades tell how far the fit is off. */
    ...forecastColumns(),
    scoreParts: jsonb().$type<Record<string, number | null>>().notNull(),
    /** Of the 7 days before, and the views of these uploads; null where the videos were not read. */
    uploads7d: smallint("uploads_7d"),
    uploadViews7d: countColumn("upload_views_7d"),
  },
  (t) => [
    primaryKey({ columns: [t.channelId, t.day] }),
    ...checkKnown(t.source),
    check("snapshots_counts_not_negative", sql`least(${t.subscribers}, ${t.views}, ${t.videos}) >= 0`),
    check("snapshots_score_range", sql`${t.score} between 0 and 100`),
  ],
);

export const trackedCreators = pgTable(
  "tracked_creators",
  { keyId: keyReference(), channelId: channelReference(), trackedSince: instantColumn().notNull() },
  (t) => [
    primaryKey({ columns: [t.keyId, t.channelId] }),
    index("tracked_creators_page").on(t.keyId, t.trackedSince, t.channelId),
    index("tracked_creators_channel").on(t.channelId),
  ],
);

/** The newest videos of a channel, as of its latest reading. */
export const videos = pgTable(
  "videos",
  {
    channelId: ownedChannelReference(),
    videoId: requiredText(),
    title: requiredText(),
    publishedAt: instantColumn().notNull(),
    views: countColumn(),
    likes: countColumn(),
    comments: countColumn(),
    seconds: integer(),
    broadcast: text({ enum: BROADCASTS }),
    thumbnailUrl: text(),
    readAt: instantColumn().notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.videoId] }), ...checkKnown(t.broadcast)],
);

/** A video that an alert names. After the retention only its id is left. */
export interface NamedVideo {
  video_id: string;
  title?: string;
  thumbnail_url?: string | null;
  published_at?: string;
  views?: number | null;
  usual_views?: number | null;
  times_usual?: number | null;
  is_short?: boolean;
}

/** What the rise of a channel on a day likely came from, for the alerts of all keys. */
export const alertCauses = pgTable(
  "alert_causes",
  {
    channelId: ownedChannelReference(),
    day: dayColumn().notNull(),
    kind: text({ enum: CAUSE_KINDS }).notNull(),
    /** Why it is unknown. */
    problem: text({ enum: CAUSE_PROBLEMS }),
    videos: jsonb().$type<NamedVideo[]>().notNull().default([]),
    createdAt: instantColumn().notNull(),
    /** When the videos were read. */
    readAt: instantColumn(),
  },
  (t) => [
    primaryKey({ columns: [t.channelId, t.day] }),
    index("alert_causes_pending").on(t.createdAt).where(sql`${t.kind} = 'pending'`),
    ...checkKnown(t.kind, t.problem),
    check("alert_causes_unknown_has_problem", sql`(${t.kind} = 'unknown') = (${t.problem} is not null)`),
  ],
);
