import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { PageInput, Pagination } from "@/core/http/page";
import { ALERT_LABELS, SEVERITIES } from "@/db/values";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { CreatorDetails, count } from "./schema";

export const TrackedSort = z.enum(["name", "subscribers", "growth_1d", "growth_7d", "score", "tracked_since"]);

/** The creators that the console's table shows, and their order. */
export const TrackedQuery = PageInput.extend({
  sort: TrackedSort.default("score"),
  descending: z.boolean().default(true),
  search: z
    .string()
    .trim()
    .max(100)
    .regex(PLAIN_TEXT, PLAIN_TEXT_FORM)
    .default("")
    .describe("Part of a name or handle"),
  level: z.enum(ALERT_LEVELS).nullable().default(null),
  rising_for_size: z.boolean().default(false).describe("Only the top 10% of channels of their size by score"),
  list: z.guid().nullable().default(null).describe("One of the key's lists; an unknown one is empty"),
});
export type TrackedQuery = z.output<typeof TrackedQuery>;

/** The key's latest alert of a creator. */
export const LastAlert = z.object({
  day: z.iso.date().describe("UTC day of the snapshot that grew"),
  severity: z.enum(SEVERITIES),
  percent: z.number(),
  label: z.enum(ALERT_LABELS).nullable(),
});
export type LastAlert = z.output<typeof LastAlert>;

export const TrackedRow = CreatorDetails.extend({
  last_alert: LastAlert.nullable(),
  trend: z
    .array(count)
    .describe("Subscribers on each of the last 30 UTC days, oldest first; null for a day without a count"),
});
export type TrackedRow = z.output<typeof TrackedRow>;

export const TrackedTable = z.object({
  pagination: Pagination,
  creators: z.array(TrackedRow),
});
export type TrackedTable = z.output<typeof TrackedTable>;
