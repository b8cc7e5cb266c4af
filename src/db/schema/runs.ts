import { sql } from "drizzle-orm";
import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { BATCH_STATUSES, CORRECTED } from "../values";
import { checkKnown, dayColumn, instantColumn } from "./columns";

export const snapshotRuns = pgTable("snapshot_runs", {
  day: dayColumn().primaryKey(),
  startedAt: instantColumn().notNull(),
  finishedAt: instantColumn(),
  /** How often it was planned: once, plus once for each start that found it unfinished. */
  plans: integer().notNull(),
  /** The job run that made the latest plan. */
  plannedBy: text(),
  /** When the heartbeat address answered that the run is complete. */
  heartbeatAt: instantColumn(),
});

/** Up to 50 channels of a run, read by one upstream call. */
export const snapshotBatches = pgTable(
  "snapshot_batches",
  {
    day: dayColumn()
      .notNull()
      .references(() => snapshotRuns.day, { onDelete: "cascade" }),
    batch: integer().notNull(),
    channelIds: text().array().notNull(),
    status: text({ enum: BATCH_STATUSES }).notNull(),
    recorded: integer().notNull().default(0),
    unavailable: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    alerts: integer().notNull().default(0),
    problem: text(),
    /** When it was last planned or started. In the future while it waits for the platform. */
    touchedAt: instantColumn().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.batch] }),
    index("snapshot_batches_pending").on(t.day).where(sql`${t.status} = 'pending'`),
    ...checkKnown(t.status),
  ],
);

/** Daily runs with a problem. `notified_at`: when the monitoring channel accepted the message. */
export const runNotices = pgTable("run_notices", {
  day: dayColumn().primaryKey(),
  problem: text().notNull(),
  notedAt: instantColumn().notNull(),
  notifiedAt: instantColumn(),
});

export const backups = pgTable("backups", { madeAt: instantColumn().primaryKey() });

/** How well the scores of a day predicted the week after it, over all channels together. */
export const scoreGrades = pgTable("score_grades", {
  day: dayColumn().primaryKey(),
  gradedAt: instantColumn().notNull(),
  scoreVersion: smallint().notNull(),
  channels: integer().notNull(),
  figures: jsonb().notNull(),
});

/** How the service's own record corrects each chance, on the log odds. A chance without a row stays as it is. */
export const chanceCorrections = pgTable(
  "chance_corrections",
  {
    chance: text({ enum: CORRECTED }).primaryKey(),
    intercept: doublePrecision().notNull(),
    slope: doublePrecision().notNull(),
    /** Outcomes in the record. */
    graded: integer().notNull(),
    fittedOn: dayColumn().notNull(),
  },
  (t) => checkKnown(t.chance),
);
