import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { PageInput, Pagination } from "@/core/http/page";
import { ALERT_LABELS, SEVERITIES } from "@/db/values";
import { SIZE_BANDS } from "@/features/growth/rules";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { TRACKED_SORTS } from "./rules";
import { ChannelId, CreatorDetails, count } from "./schema";

/** The orders that the API has. */
export const TrackedSort = z.enum(["name", "subscribers", "growth_1d", "growth_7d", "score", "tracked_since"]);

/** The creators that the console's table shows, and their order. */
export const TrackedQuery = PageInput.extend({
  sort: z.enum(TRACKED_SORTS).default("score"),
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
  country: z.string().length(2).nullable().default(null),
  niche: z.string().max(100).regex(PLAIN_TEXT, PLAIN_TEXT_FORM).nullable().default(null).describe("As stored, folded"),
  size: z.literal(SIZE_BANDS).nullable().default(null).describe("The minimum subscribers of a size band"),
  alert_day: z.iso.date().nullable().default(null).describe("Only creators with an alert of this UTC day"),
  changed_since: z.iso
    .datetime()
    .nullable()
    .default(null)
    .describe("Only creators with an alert, a new name or a change of availability since"),
  list: z.guid().nullable().default(null).describe("One of the key's lists; an unknown one is empty"),
});
export type TrackedQuery = z.output<typeof TrackedQuery>;

/** The table without its pages. */
export const TableFilter = TrackedQuery.omit({ offset: true, limit: true });
export type TableFilter = z.output<typeof TableFilter>;

export const NeighborsInput = TableFilter.extend({ channel_id: ChannelId });

const Neighbor = z.object({ channel_id: z.string(), name: z.string() }).nullable();

/** Where a creator stands in the table, and those before and after it. */
export const Neighbors = z.object({
  position: z.int().min(1),
  total: z.int().min(1),
  previous: Neighbor,
  next: Neighbor,
});
export type Neighbors = z.output<typeof Neighbors>;

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
  waiting: z.int().min(0).describe("How many of these creators have no measured growth yet. They come last"),
  creators: z.array(TrackedRow),
});
export type TrackedTable = z.output<typeof TrackedTable>;

export const TableTabsInput = TrackedQuery.pick({ alert_day: true, changed_since: true });

/** How many of the key's creators the tabs of the table show. */
export const TableTabs = z.object({
  alerts: z.int().min(0).describe("With an alert of the day"),
  changed: z.int().min(0).describe("With a change since the time"),
});

const choice = z.object({ value: z.string(), label: z.string(), creators: z.int().min(1) });

/** What the key's creators can be filtered by, the most frequent first. */
export const TableChoices = z.object({ niches: z.array(choice), countries: z.array(choice.omit({ label: true })) });
export type TableChoices = z.output<typeof TableChoices>;
