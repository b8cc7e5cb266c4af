import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { dayColumn, instantColumn, isOneOf } from "./columns";

/** One collection of all tracked channels per UTC day. */
export const snapshotRuns = pgTable("snapshot_runs", {
  day: dayColumn().primaryKey(),
  startedAt: instantColumn().notNull(),
  /** Null while batches are open. */
  finishedAt: instantColumn(),
  /** How often it was planned: once, and once more for each start that found it unfinished. */
  plans: integer().notNull(),
  /** The job run that made the latest plan. */
  plannedBy: text(),
});

export const BATCH_STATUSES = ["pending", "done", "failed"] as const;

/** Up to 50 channels of a run, read by one upstream call. */
export const snapshotBatches = pgTable(
  "snapshot_batches",
  {
    day: dayColumn().notNull(),
    batch: integer().notNull(),
    channelIds: text().array().notNull(),
    status: text({ enum: BATCH_STATUSES }).notNull(),
    recorded: integer().notNull().default(0),
    unavailable: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    alerts: integer().notNull().default(0),
    problem: text(),
    /** When it was last planned or begun; later than now while it waits for the platform. */
    touchedAt: instantColumn().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.batch] }),
    foreignKey({ columns: [table.day], foreignColumns: [snapshotRuns.day] }).onDelete("cascade"),
    // Asked after each batch: whether it was the run's last. Without it the answer takes longer with every batch.
    index("snapshot_batches_pending").on(table.day).where(sql`${table.status} = 'pending'`),
    check("snapshot_batches_status_is_known", isOneOf(table.status, BATCH_STATUSES)),
  ],
);

/** A day whose run went wrong, and when the operator's channel took the news of it; null until then. */
export const runNotices = pgTable("run_notices", {
  day: dayColumn().primaryKey(),
  problem: text().notNull(),
  notedAt: instantColumn().notNull(),
  toldAt: instantColumn(),
});

/** How well the scores of a day foresaw the week after it. Figures of all channels together, none of any one. */
export const scoreGrades = pgTable("score_grades", {
  /** The day of the scores. */
  day: dayColumn().primaryKey(),
  gradedAt: instantColumn().notNull(),
  scoreVersion: smallint().notNull(),
  channels: integer().notNull(),
  /** As the comparison feature's schema says. */
  figures: jsonb().notNull(),
});
