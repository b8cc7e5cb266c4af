import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { BROADCASTS, CAUSE_KINDS, CAUSE_PROBLEMS } from "../values";
import { countColumn, dayColumn, instantColumn, isOneOfSql, requiredText } from "./columns";
import { channels } from "./creators";

const channelColumn = () => requiredText().references(() => channels.id, { onDelete: "cascade" });

/** The newest videos of a channel, as of its latest reading. */
export const videos = pgTable(
  "videos",
  {
    channelId: channelColumn(),
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
  (t) => [
    primaryKey({ columns: [t.channelId, t.videoId] }),
    check("videos_broadcast_is_known", isOneOfSql(t.broadcast, BROADCASTS)),
  ],
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
    channelId: channelColumn(),
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
    check("alert_causes_kind_is_known", isOneOfSql(t.kind, CAUSE_KINDS)),
    check("alert_causes_problem_is_known", isOneOfSql(t.problem, CAUSE_PROBLEMS)),
    check("alert_causes_unknown_has_problem", sql`(${t.kind} = 'unknown') = (${t.problem} is not null)`),
  ],
);
