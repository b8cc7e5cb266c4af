import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { PageInput } from "@/core/http/page";
import { SIZE_BANDS } from "@/features/growth/rules";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { MAX_COMPARED, SHARE_DAYS, TRACKED_SORTS } from "./rules";
import { ChannelId, ChannelNames } from "./schema";

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

export const TableFilter = TrackedQuery.omit({ offset: true, limit: true });
export type TableFilter = z.output<typeof TableFilter>;

export const NeighborsInput = TableFilter.extend({ channel_id: ChannelId });

export const TableTabsInput = TrackedQuery.pick({ alert_day: true, changed_since: true });
export type TableTabs = z.output<typeof TableTabsInput>;

export const ChartInput = z.object({
  compared: z
    .array(ChannelId)
    .max(MAX_COMPARED)
    .default([])
    .describe("Channel ids of tracked creators; others are left out of the answer"),
});

export const PreviewInput = z.object({ channels: ChannelNames });

const days = z.union(
  SHARE_DAYS.map((days) => z.literal(days)),
  { error: "must be 7 or 30" },
);

/** What a link shows: a tracked creator, or a list of the key. */
export const ShareInput = z.union([z.object({ channel_id: ChannelId, days }), z.object({ list_id: z.uuid(), days })]);
export type ShareInput = z.output<typeof ShareInput>;

export const ShareParams = z.object({ id: z.uuid() });
