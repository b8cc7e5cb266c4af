import { z } from "zod";
import { DayRange, Format, isRange, Pagination, WRONG_RANGE } from "@/core/http/page";
import { CHANNEL_STATUSES, SCORE_BASES } from "@/db/values";
import type { GrowthDetails } from "@/features/growth/details.service";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import type { ChannelReference } from "@/platform/port";
import {
  CHANNEL_FORMS,
  CHANNEL_ID,
  CHANNEL_PATTERN,
  describeGuess,
  describeProblem,
  formatFieldProblem,
  type Guess,
  parseReference,
} from "./addresses.rules";

/** Whether the platform shows a channel's subscribers. */
const COUNTS = ["known", "hidden", "unread"] as const;

export const ChannelId = z
  .string()
  .regex(CHANNEL_ID, "must be a channel id (UC and 22 characters)")
  .describe("Identifier of the creator's channel");

export const count = z.int().min(0).nullable().describe("Null when the platform does not show it");

/** A share or a chance, 0 to 1. */
export const share = z.number().min(0).max(1).nullable();
const points = z.int().min(0).max(100).nullable();

const UNMEASURED = "Null without measured growth or when it is not up to date";

function chanceField(label: string) {
  return share.describe(`${label}, calculated by this service. ${UNMEASURED}, and below 100 subscribers`);
}

const ExpectedGrowth = z
  .object({
    low: z.number().describe("Lower end in percent"),
    high: z.number().describe("Upper end in percent"),
  })
  .nullable()
  .meta({ id: "ExpectedGrowth", description: "A likely growth; null when unknown" });

function rangeField(days: number) {
  return ExpectedGrowth.describe(`Likely growth in ${days} days: 8 in 10 similar creators end inside. ${UNMEASURED}`);
}

export const Creator = z
  .object({
    channel_id: ChannelId,
    name: z.string().describe("Name of the channel; its id until it was read"),
    handle: z.string().nullable().describe("Handle of the channel with its @; null when it has none"),
    url: z.url().describe("The channel's page on the platform"),
    thumbnail_url: z.url({ normalize: true }).nullable().describe("The channel's picture; null without one"),
    country: z.string().nullable().describe("ISO 3166-1 alpha-2, null when not stated"),
    status: z.enum(CHANNEL_STATUSES).describe("unavailable when the platform no longer shows the channel"),
    counts: z.enum(COUNTS).describe("known; hidden by the channel; or unread: not measured yet"),
    subscribers: count.describe("Null unless counts is known"),
    views: count,
    videos: count,
    score: points.describe(
      "Growth score, calculated by this service, not by the platform. Null unless counts is known",
    ),
    score_basis: z.enum(SCORE_BASES).describe("history: measured growth. profile: total views, no growth yet"),
    score_version: z.int().describe("Changes whenever the same snapshots would give another score"),
    alert_level: z.enum(ALERT_LEVELS).describe("Derived from the score; STABLE without one"),
    percentile: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe("Percent of channels of the same size with a lower score; null without history or enough channels"),
    chance_7d: chanceField("Chance of growing 5% or more within 7 days"),
    chance_28d: chanceField("Chance of growing 20% or more within 28 days"),
    expected_7d: rangeField(7),
    expected_28d: rangeField(28),
    reason: z.string().nullable().describe(`Why it has this score, in one sentence. ${UNMEASURED}`),
    growth_1d_percent: z.number().nullable().describe("Null when unknown or not up to date"),
    growth_7d_percent: z.number().nullable().describe("Null when unknown or not up to date"),
  })
  .meta({ id: "Creator" });
export type Creator = z.output<typeof Creator>;

export const TrackedCreator = Creator.extend({
  tracked_since: z.iso.datetime().describe("When this key began tracking it"),
  last_snapshot_at: z.iso
    .datetime()
    .nullable()
    .describe("When the daily run of its snapshot started; null before the first"),
}).meta({ id: "TrackedCreator" });
export type TrackedCreator = z.output<typeof TrackedCreator>;

/** A tracked creator as its page of the console shows it. */
export type CreatorDetails = TrackedCreator & Omit<GrowthDetails, "trend">;

/** Maximum channels that one request can track. */
export const CHANNELS_PER_REQUEST = 50;
const CHANNEL_LIST = `must be a list of 1 to ${CHANNELS_PER_REQUEST} channel ids, handles or channel URLs`;

const MAX_LENGTH = 300;

const NOT_A_CHANNEL = { code: "custom", params: { code: "not_a_channel" } } as const;
const GUESS = { code: "custom", params: { code: "guess" } } as const;

/** A channel by any of its names, also by a custom URL, which is a guess. */
export const ChannelOrGuess = z
  .string(CHANNEL_FORMS)
  .max(MAX_LENGTH, CHANNEL_FORMS)
  .transform((text, context): ChannelReference | Guess => {
    const parsed = parseReference(text);
    if (parsed.kind !== "other" && parsed.kind !== "none") return parsed;
    context.addIssue({ ...NOT_A_CHANNEL, message: formatFieldProblem(describeProblem(text)) });
    return z.NEVER;
  });

/** A channel by a name that is certain. */
export const ChannelName = ChannelOrGuess.transform((reference, context): ChannelReference => {
  if (reference.kind !== "guess") return reference;
  context.addIssue({ ...GUESS, message: formatFieldProblem(describeGuess(reference)) });
  return z.NEVER;
});

/** The channel in the document. */
export const describeChannel = (description: string) => ({
  description,
  pattern: CHANNEL_PATTERN,
  maxLength: MAX_LENGTH,
});

/** Unvalidated names: each invalid one gets its own error in the result. */
export const ChannelNames = z
  .array(z.string(CHANNEL_FORMS), CHANNEL_LIST)
  .min(1, CHANNEL_LIST)
  .max(CHANNELS_PER_REQUEST, CHANNEL_LIST);

const CHANNEL_IDS = `must be a list of 1 to ${CHANNELS_PER_REQUEST} channel ids`;
export const ChannelIds = z.array(ChannelId, CHANNEL_IDS).min(1, CHANNEL_IDS).max(CHANNELS_PER_REQUEST, CHANNEL_IDS);

export const TrackInput = z
  .object({
    channel_id: ChannelOrGuess.optional().meta(
      describeChannel("A channel id, an @handle, or any address of a channel on the platform"),
    ),
    channel_ids: ChannelNames.optional().describe("1 to 50 channels in any of these forms, instead of channel_id"),
    accept_guess: z
      .boolean()
      .optional()
      .describe("Whether to resolve a custom URL by its name, although that is a guess"),
  })
  .superRefine(({ channel_id, channel_ids }, context) => {
    if ((channel_id === undefined) !== (channel_ids === undefined)) return;
    const message =
      channel_id === undefined ? "Send channel_id or channel_ids" : "Send only one of channel_id and channel_ids";
    context.addIssue({ code: "custom", path: ["channel_id"], message });
  })
  .describe("Send channel_id or channel_ids");
export type TrackInput = z.output<typeof TrackInput>;

const MESSAGE = z.string().describe("What was done, in one sentence");

/** Why a channel of a list is not tracked. */
const ITEM_CODES = ["not_a_channel", "guess", "not_found", "lookups_used_up", "unavailable"] as const;
export type ItemCode = (typeof ITEM_CODES)[number];

export const ItemError = z.object({
  code: z.enum(ITEM_CODES).describe("The cause, for programs. `/docs/errors` says what to do for each"),
  error: z.string().describe("Why this channel is not tracked"),
});
export type ItemError = z.output<typeof ItemError>;

/** Marks what was resolved by the name in a custom URL. */
export const Resolution = z.object({
  resolved_from: z.string().optional().describe("The custom URL whose name was taken for a handle"),
  certain: z.literal(false).optional().describe("false for a guess: the custom URL may belong to another channel"),
});
/** A guess that the client has to confirm. */
export const OpenGuess = Resolution.extend({
  resolved_to: z.string().optional().describe("For a custom URL: the handle to send when it is the right one"),
});

/** The result for one channel of a list. Some can fail while others are tracked. */
export const TrackResult = z
  .object({
    input: z.string().describe("The text you sent"),
    creator: TrackedCreator.optional().describe("The tracked creator; absent when the channel is not tracked"),
    ...ItemError.partial().shape,
    ...OpenGuess.shape,
  })
  .meta({ id: "TrackResult", description: "One channel of a list: a creator, or a code and an error" });
export type TrackResult = z.output<typeof TrackResult>;

export const TrackListInput = z.object({ channel_ids: ChannelNames });

export const TrackAnswer = z.object({
  message: MESSAGE,
  creator: TrackedCreator.optional().describe("The creator of channel_id"),
  results: z.array(TrackResult).optional().describe("One for each of channel_ids, in the same order"),
  ...Resolution.shape,
});

/** An untracked channel returns 404, and so does a text that is not a channel. */
export const TrackedParams = z.object({
  channel_id: ChannelName.meta(
    describeChannel("A channel id, an @handle in any case, or a percent-encoded channel URL with one of them"),
  ),
});

export const ChannelFilter = ChannelName.optional().meta(
  describeChannel("Only this channel: its id, @handle, or a URL with one of them"),
);

export const TrackedAnswer = z.object({ creator: TrackedCreator });
export const TrackedPage = z.object({
  pagination: Pagination,
  creators: z.array(TrackedCreator).describe("Last tracked first"),
});

export const UntrackAnswer = z.object({ message: MESSAGE, channel_id: ChannelId });

export const UntrackListInput = z.object({ channel_ids: ChannelIds });

export const HistorySnapshot = z
  .object({
    day: z.iso.date().describe("UTC day"),
    subscribers: count.describe("Null when the channel hid its count"),
    views: count,
    videos: count,
  })
  .meta({ id: "Snapshot" });
export type HistorySnapshot = z.output<typeof HistorySnapshot>;

export const HistoryQuery = z.object({ ...DayRange.shape, format: Format }).refine(isRange, WRONG_RANGE);
export type HistoryQuery = z.output<typeof HistoryQuery>;

export const HISTORY_CSV = ["day", "subscribers", "views", "videos"] as const satisfies (keyof HistorySnapshot)[];

export const HistoryAnswer = z.object({
  channel_id: ChannelId,
  history: z.array(HistorySnapshot).describe("Oldest first; a day without a snapshot is absent"),
});
