import { z } from "zod";
import { contract } from "@/core/contract";
import { CHANNEL_STATUSES, SCORE_BASES } from "@/core/db/schema";
import { PageInput, PageQuery, Pagination } from "@/core/page";
import { GrowthWindow, ScoreParts } from "@/features/growth/schema";
import { ALERT_LEVELS } from "@/features/growth/score";
import type { ChannelReference } from "@/platform/port";
import { CHANNEL_FORMS, isChannelId, parseChannelReference } from "./rules";

const count = z.int().min(0).nullable();

export const Creator = z.object({
  channel_id: z.string().describe("Identifier of the creator's channel"),
  name: z.string(),
  handle: z.string().nullable(),
  url: z.url().describe("The channel's page on the platform"),
  thumbnail_url: z.url().nullable(),
  country: z.string().nullable().describe("ISO 3166-1 alpha-2, null when not stated"),
  status: z.enum(CHANNEL_STATUSES).describe("unavailable when the platform no longer shows the channel"),
  subscribers: count.describe("Null when the channel hides its count"),
  views: count,
  videos: count,
  score: z.int().min(0).max(100).describe("Growth score; calculated by this service, not by the platform"),
  score_basis: z
    .enum(SCORE_BASES)
    .describe("history: measured growth. profile: views and uploads only, no growth measured yet"),
  score_version: z.int().describe("Changes whenever the same readings would give another score"),
  alert_level: z.enum(ALERT_LEVELS),
  percentile: z.number().min(0).max(100).nullable().describe("Null where it is not calculated"),
  growth_1d_percent: z.number().nullable().describe("Null when unknown"),
  growth_7d_percent: z.number().nullable().describe("Null when unknown"),
});
export type Creator = z.output<typeof Creator>;

export const TrackedCreator = Creator.extend({
  tracked_since: z.iso.datetime(),
  last_snapshot_at: z.iso.datetime().nullable(),
});
export type TrackedCreator = z.output<typeof TrackedCreator>;

/** A tracked creator as its page of the console shows it. */
export const CreatorDetails = TrackedCreator.extend({
  growth: z.array(GrowthWindow),
  score_parts: ScoreParts.nullable().describe("Null where no growth is measured yet"),
});
export type CreatorDetails = z.output<typeof CreatorDetails>;

export const TrackInput = z.object({
  channel_id: z
    .string(CHANNEL_FORMS)
    .max(300, CHANNEL_FORMS)
    .transform((text, context): ChannelReference => {
      const reference = parseChannelReference(text);
      if (reference) return reference;
      context.addIssue({ code: "custom", message: CHANNEL_FORMS });
      return z.NEVER;
    })
    .describe("A channel id, an @handle, or a channel URL of the platform"),
});
export type TrackInput = z.output<typeof TrackInput>;

export const TrackAnswer = z.object({
  message: z.string(),
  creator: TrackedCreator,
});

/** Not a 400: an id that cannot exist is one that is not tracked. */
export const TrackedParams = z.object({ channel_id: z.string().refine(isChannelId) });

export const TrackedPage = z.object({
  pagination: Pagination,
  creators: z.array(TrackedCreator),
});

export const TRACKED_SORTS = [
  "name",
  "subscribers",
  "growth_1d",
  "growth_7d",
  "score",
  "tracked_since",
] as const;

/** Which of the key's creators the console shows, and in which order. */
export const TrackedQuery = PageInput.extend({
  sort: z.enum(TRACKED_SORTS).default("score"),
  descending: z.boolean().default(true),
  search: z.string().trim().max(100).default("").describe("Part of a name or handle"),
  level: z.enum(ALERT_LEVELS).nullable().default(null),
});
export type TrackedQuery = z.output<typeof TrackedQuery>;

export const TrackedRow = TrackedCreator.extend({
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

export const UntrackAnswer = z.object({
  message: z.string(),
  channel_id: z.string(),
});

export const HistoryReading = z.object({
  day: z.iso.date().describe("UTC day"),
  subscribers: count,
  views: count,
  videos: count,
});
export type HistoryReading = z.output<typeof HistoryReading>;

export const HistoryAnswer = z.object({
  channel_id: z.string(),
  history: z.array(HistoryReading).describe("Oldest first; a day without a reading is absent"),
});

export const trackContract = contract({
  method: "POST",
  path: "/api/track",
  summary: "Start tracking a creator; a first reading is taken at once",
  body: TrackInput,
  answer: TrackAnswer,
});

export const listTrackedContract = contract({
  method: "GET",
  path: "/api/track",
  summary: "The creators the key tracks, the latest tracked first",
  query: PageQuery,
  answer: TrackedPage,
});

export const untrackContract = contract({
  method: "DELETE",
  path: "/api/track/{channel_id}",
  summary: "Stop tracking a creator; its alerts stay",
  params: TrackedParams,
  answer: UntrackAnswer,
});

export const historyContract = contract({
  method: "GET",
  path: "/api/track/{channel_id}/history",
  summary: "The key's daily readings of a creator, from the day it began tracking",
  params: TrackedParams,
  answer: HistoryAnswer,
});
