import { z } from "zod";
import { createChoiceSchema, createIntegerSchema, PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { MAX_OFFSET, NOT_WITH_AFTER, PageInput, refuseSent } from "@/core/http/page";
import { CHANNEL_STATUSES } from "@/db/values";
import { SIZE_BANDS } from "@/features/growth/rules";
import { ALERT_LEVELS, classifyLevel, SCORE_VERSION } from "@/features/growth/score.rules";
import { MAX_COMPARED, SHARE_DAYS, TRACKED_SORTS } from "./rules";
import { ChannelId, ChannelNames, Creator, type TrackedCreator, TrackedPage } from "./schema";

/** The orders that the API has. */
export const TrackedSort = z.enum(["name", "subscribers", "growth_1d", "growth_7d", "score", "tracked_since"]);

/** More than the name of any list. */
const MAX_NAME = 100;
/** No enumeration: in generated code, the names of `score` and `-score` would clash. */
const SORT = new RegExp(`^-?(${TrackedSort.options.join("|")})$`);
const LIST_FORM = "must be the name of a list";

/** The creators that the API lists, and their order. */
export const TrackedListQuery = z
  .object({
    offset: createIntegerSchema(0, MAX_OFFSET).optional().describe("Number of results to skip (0). Not with `after`"),
    limit: createIntegerSchema(1, 100).default(20).describe("Maximum results"),
    after: z
      .string()
      .regex(/^(UC[A-Za-z0-9_-]{22})?$/, "must be the next_after of an earlier response, or empty to start")
      .optional()
      .describe("Reads in the order of channel ids, so that no creator is missed or repeated. Empty to start"),
    sort: z
      .string()
      .regex(SORT, `must be one of ${TrackedSort.options.join(", ")}, or one of these after a -`)
      .optional()
      .describe(
        `One of ${TrackedSort.options.join(", ")}, with \`-\` in front for the largest first; unknown values last. \`-tracked_since\` when left out. Not with \`after\``,
      ),
    level: createChoiceSchema(ALERT_LEVELS).optional().describe("Only creators of this alert_level"),
    status: createChoiceSchema(CHANNEL_STATUSES).optional().describe("Only creators with this status"),
    list: z
      .string()
      .trim()
      .min(1, LIST_FORM)
      .max(MAX_NAME, LIST_FORM)
      .regex(PLAIN_TEXT, LIST_FORM)
      .optional()
      .describe("Only creators of your list with this name, in any case. Lists are made in the console"),
  })
  .superRefine(({ after }, context) => {
    if (after !== undefined) refuseSent(context, ["offset", "sort"], NOT_WITH_AFTER);
  });
export type TrackedListQuery = z.output<typeof TrackedListQuery>;

export const TrackedListPage = TrackedPage.extend({
  next_after: z.string().nullable().describe("Send it as `after` while `pagination.has_more`; null without `after`"),
});
export type TrackedListPage = z.output<typeof TrackedListPage>;

export const CreatorAnswer = z.object({
  creator: Creator,
  is_tracked: z.boolean().describe("Whether your key tracks the creator"),
  counts_day: z.iso.date().nullable().describe("UTC day on which the platform showed these counts"),
});
export type CreatorAnswer = z.output<typeof CreatorAnswer>;

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

/** The creator of all examples, one of the sample platform. */
export const EXAMPLE_CREATOR: Creator = {
  channel_id: "UCY8vMFsho8bt_uH0G7KX-bg",
  name: "Juniper Fivecrits",
  handle: "@juniperfivecrits",
  url: "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
  thumbnail_url: null,
  country: "CA",
  status: "active",
  counts: "known",
  subscribers: 640,
  views: 24_310,
  videos: 18,
  score: 54,
  score_basis: "history",
  score_version: SCORE_VERSION,
  alert_level: classifyLevel(54),
  percentile: null,
  chance_7d: 0.147,
  chance_28d: 0.15,
  expected_7d: { low: 0.6, high: 6.8 },
  expected_28d: { low: 1.9, high: 24.5 },
  reason: "Speeding up, each of the last two weeks faster",
  growth_1d_percent: 1.7,
  growth_7d_percent: 10.7,
};

export const EXAMPLE_TRACKED: TrackedCreator = {
  ...EXAMPLE_CREATOR,
  tracked_since: "2026-11-12T09:14:27.031Z",
  last_snapshot_at: "2026-11-19T06:00:00.374Z",
};
