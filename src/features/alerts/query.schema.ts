import { z } from "zod";
import { createChoiceSchema, createIntegerSchema } from "@/core/fields";
import {
  DayRange,
  Format,
  isRange,
  MAX_OFFSET,
  NOT_WITH_AFTER,
  PageInput,
  refuseSent,
  TimeQuery,
  WRONG_RANGE,
} from "@/core/http/page";
import { ALERT_LABELS, CAUSE_KINDS, SEVERITIES } from "@/db/values";
import { EXAMPLE_CREATOR } from "@/features/creators/query.schema";
import { ChannelFilter } from "@/features/creators/schema";
import { toVideoUrl } from "@/features/videos/rules";
import { OUTCOME_CHOICES } from "./rules";
import { ALERT_TYPE, type Alert, type AlertCause, AlertFilter, AlertPage } from "./schema";

/** The id of an alert, or nothing. */
const AFTER = /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})?$/i;
const MAX_PERCENT = 1_000_000;
const AFTER_FORM = "must be the id of an alert, or empty to start from the oldest";

const CSV_PAGES = "cannot be combined with format=csv: the file has every alert that matches";

export const AlertListQuery = z
  .object({
    offset: createIntegerSchema(0, MAX_OFFSET).optional().describe("Number of results to skip. Not with `after`"),
    limit: createIntegerSchema(1, 100).optional().describe("Maximum results"),
    after: z
      .string()
      .regex(AFTER, AFTER_FORM)
      .optional()
      .describe("The id of an alert: reads those created after it, oldest first. Empty: from the oldest"),
    since: TimeQuery.optional().describe(
      "Leaves out alerts created before this time, which ends in Z or an offset. Encode the `+` of an offset as `%2B`",
    ),
    channel_id: ChannelFilter,
    severity: createChoiceSchema(SEVERITIES).optional().describe("Only alerts of this severity"),
    cause: createChoiceSchema(CAUSE_KINDS).optional().describe("Only alerts with a cause of this kind"),
    min_percent: createIntegerSchema(0, MAX_PERCENT).optional().describe("Only alerts with at least this growth"),
    ...DayRange.shape,
    format: Format,
  })
  .refine(isRange, WRONG_RANGE)
  .superRefine(({ format, after }, context) => {
    if (after !== undefined) refuseSent(context, ["offset"], NOT_WITH_AFTER);
    if (format === "csv") refuseSent(context, ["offset", "limit", "after"], CSV_PAGES);
  });
export type AlertListQuery = z.output<typeof AlertListQuery>;

export const AlertListPage = AlertPage.extend({
  next_after: z.string().nullable().describe("Send it as `after` next time, even without alerts; null without `after`"),
});
export type AlertListPage = z.output<typeof AlertListPage>;

export const EXAMPLE_ALERT: Alert = {
  id: "5b1d7c1e-6f0a-4d0e-9c57-2f4b8a3e9d10",
  day: "2026-11-20",
  channel_id: EXAMPLE_CREATOR.channel_id,
  alert_type: ALERT_TYPE,
  message: `${EXAMPLE_CREATOR.name} grew 19.2% in one day (640 → 763)`,
  created_at: "2026-11-20T06:00:04.218Z",
  percent: 19.2,
  subscribers_before: 640,
  subscribers_after: 763,
  growth_low: 19.2,
  growth_high: 19.2,
  certain: true,
  severity: "RISING FAST",
  channel_url: EXAMPLE_CREATOR.url,
  label: "sustained",
  reason:
    "It was growing 5.6% a week before this jump. 48% of such jumps kept growing (at least half as much again in 7 days).",
  cause: {
    kind: "video",
    text: "Likely from “One joint, no glue”: 48.2K views in 31 hours, 24 times its usual.",
    read_at: "2026-11-20T06:00:05.871Z",
    videos: [
      {
        video_id: "Ks5kPcu0b1Y",
        title: "One joint, no glue",
        url: toVideoUrl("Ks5kPcu0b1Y"),
        thumbnail_url: null,
        published_at: "2026-11-18T23:00:00.000Z",
        views: 48_210,
        usual_views: 2010,
        times_usual: 24,
        is_short: false,
      },
    ],
  },
  held_chance: 0.48,
  outcome: null,
};

export const ALERT_CSV = [
  "id",
  "day",
  "created_at",
  "channel_id",
  "channel_url",
  "alert_type",
  "severity",
  "percent",
  "subscribers_before",
  "subscribers_after",
  "growth_low",
  "growth_high",
  "certain",
  "label",
  "reason",
  "cause",
  "cause_url",
  "cause_text",
  "held_chance",
  "outcome",
  "message",
] as const satisfies (keyof Alert | "cause_url" | "cause_text")[];

/** The cells of a cause: its kind, the link of its first video, and its sentence. */
export function toCsvCause({ kind, text, videos }: AlertCause) {
  return { cause: kind, cause_url: videos[0]?.url ?? null, cause_text: text };
}

export const EXAMPLE_CSV_ROW = { ...EXAMPLE_ALERT, ...toCsvCause(EXAMPLE_ALERT.cause) };

/** Filters of the console's inbox; null filters nothing. */
export const InboxFilter = AlertFilter.extend({
  label: z.enum(ALERT_LABELS).nullable().default(null),
  outcome: z.enum(OUTCOME_CHOICES).nullable().default(null),
  unread: z.boolean().default(false),
  list: z.uuid().nullable().default(null).describe("Only creators of this list"),
});
export type InboxFilter = z.output<typeof InboxFilter>;

export const InboxQuery = PageInput.extend(InboxFilter.shape);

export const ReadInput = z.object({ id: z.uuid(), is_read: z.boolean() });
export const UndoInput = z.object({ at: z.iso.datetime() });
