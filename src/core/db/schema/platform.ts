import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { dayColumn, instantColumn, isOneOf } from "./columns";

/** The platform has one allowance for searches and one for all other calls. */
export const UNIT_BUCKETS = ["search", "general"] as const;

export const platformUnits = pgTable(
  "platform_units",
  {
    /** The calendar day in Los Angeles. */
    day: dayColumn().notNull(),
    bucket: text({ enum: UNIT_BUCKETS }).notNull(),
    used: integer().notNull(),
    exhaustedUntil: instantColumn(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.bucket] }),
    check("platform_units_bucket_is_known", isOneOf(t.bucket, UNIT_BUCKETS)),
    check("platform_units_used_not_negative", sql`${t.used} >= 0`),
  ],
);
