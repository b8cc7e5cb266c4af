import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { PageInput, type Pagination } from "@/core/http/page";
import type { ALERT_LABELS, SEVERITIES } from "@/db/values";
import { SIZE_BANDS } from "@/features/growth/rules";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { TRACKED_SORTS } from "./rules";
import { ChannelId, type CreatorDetails } from "./schema";

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

type Neighbor = Pick<CreatorDetails, "channel_id" | "name"> | null;

/** Where a creator stands in the table, from 1, and those before and after it. */
export interface Neighbors {
  position: number;
  total: number;
  previous: Neighbor;
  next: Neighbor;
}

/** The key's latest alert of a creator. */
export interface LastAlert {
  /** UTC day of the snapshot that grew. */
  day: string;
  severity: (typeof SEVERITIES)[number];
  percent: number;
  label: (typeof ALERT_LABELS)[number] | null;
}

export interface TrackedRow extends CreatorDetails {
  last_alert: LastAlert | null;
  /** Subscribers on each of the last 30 UTC days, oldest first; null for a day without a count. */
  trend: (number | null)[];
}

export interface TrackedTable {
  pagination: Pagination;
  /** How many of these creators have no measured growth yet. They come last. */
  waiting: number;
  creators: TrackedRow[];
}

export const TableTabsInput = TrackedQuery.pick({ alert_day: true, changed_since: true });
export type TableTabs = z.output<typeof TableTabsInput>;
