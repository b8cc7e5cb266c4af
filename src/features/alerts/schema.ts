import { z } from "zod";
import { PageInput, Pagination } from "@/core/http/page";
import type { MailEventStatus } from "@/core/mail/email";
import { ALERT_LABELS, CAUSE_KINDS, type DELIVERY_STATUSES, OUTCOMES, SEVERITIES } from "@/db/values";
import { CHANNEL_ID } from "@/features/creators/addresses.rules";
import { ChannelId, share } from "@/features/creators/schema";

/** The states of an alert's mail. */
export type MailState = Exclude<(typeof DELIVERY_STATUSES)[number], "sending"> | MailEventStatus;

export const ALERT_TYPE = "HIGH_GROWTH";

/** A video that an alert names, as the platform showed it when its cause was read. */
export const CauseVideo = z
  .object({
    video_id: z.string().describe("Identifier on the platform; it stays with the alert, as does url"),
    title: z.string().nullable().describe("As its owner wrote it; null after 30 days, like all below but url"),
    url: z.url().describe("The video on the platform"),
    thumbnail_url: z.url().nullable().describe("A picture of the video; null where the platform shows none"),
    published_at: z.iso.datetime().nullable().describe("When it was published or, for a stream, went on air, UTC"),
    views: z.int().nullable().describe("Views when the cause was read"),
    usual_views: z.int().nullable().describe("Views that videos of this channel usually have at that age"),
    times_usual: z.number().nullable().describe("views divided by usual_views, computed by this service"),
    is_short: z.boolean().nullable().describe("Up to 3 minutes long, which the platform shows as a Short"),
  })
  .meta({ id: "CauseVideo", description: "A video that may have caused the rise" });
export type CauseVideo = z.output<typeof CauseVideo>;

export const AlertCause = z
  .object({
    kind: z
      .enum(CAUSE_KINDS)
      .describe(
        "video: one stands out. several: more than one. no_new_video: none. unknown: not read. pending: not yet",
      ),
    text: z.string().describe("The likely cause in a sentence, or why there is none"),
    read_at: z.iso.datetime().nullable().describe("When the videos were read, UTC; null while pending"),
    videos: z.array(CauseVideo).describe("The videos of video and several, the one with the most unusual views first"),
  })
  .meta({ id: "AlertCause" });
export type AlertCause = z.output<typeof AlertCause>;

export const Alert = z
  .object({
    id: z.uuid().describe("Identifier of the alert; send it as `after` to read the alerts after it"),
    day: z.iso.date().describe("UTC day of the later snapshot"),
    channel_id: ChannelId,
    alert_type: z.literal(ALERT_TYPE).describe("The only type"),
    message: z.string().describe("<creator name> grew <percent>% in one day (<before> → <after>)"),
    created_at: z.iso.datetime().describe("When the alert was created, UTC"),
    percent: z.number().describe("Growth of the day in percent, never rounded up to a threshold: 14.99 is 14.9"),
    subscribers_before: z.int().min(1).describe("Subscribers on the day before"),
    subscribers_after: z.int().min(1).describe("Subscribers on the day"),
    growth_low: z.number().describe("Lowest true growth in percent that the platform's rounding allows"),
    growth_high: z.number().describe("Highest true growth in percent that the platform's rounding allows"),
    certain: z.boolean().describe("Whether even growth_low is above 10%, after a day on which the count moved"),
    severity: z.enum(SEVERITIES).describe("By the growth of the day, strongest first"),
    channel_url: z.url().describe("The channel's page on the platform"),
    label: z
      .enum(ALERT_LABELS)
      .nullable()
      .describe(
        "sustained: it was growing by 5% a week. single_day: it was not. recovery: back at a count of the 28 days before. too_early: fewer than 7 days of snapshots",
      ),
    reason: z.string().nullable().describe("Why it has this label and this chance"),
    cause: AlertCause.describe("What the rise likely came from, by the channel's newest videos"),
    held_chance: share.describe("Share of similar alerts that were graded held after 7 days; null for older alerts"),
    outcome: z
      .enum(OUTCOMES)
      .nullable()
      .describe(
        "The later clear grade of those after 7 and 28 days. held: it gained half of the day's gain again within 7 days, or all of it within 28. faded: less. unclear: snapshots are missing or counts too rounded. Null before the first",
      ),
  })
  .meta({ id: "Alert", description: "Growth of a tracked creator of more than 10% in one day" });
export type Alert = z.output<typeof Alert>;

export const AlertPage = z.object({
  pagination: Pagination,
  alerts: z.array(Alert).describe("Newest first; with `after`, oldest first"),
});

/** Filters of the alert list; null filters nothing. */
export const AlertFilter = z.object({
  severity: z.enum(SEVERITIES).nullable().default(null),
  channel_id: z.string().regex(CHANNEL_ID, "must be a channel id").nullable().default(null),
  day: z.iso
    .date()
    .refine((day) => day >= "2000-01-01", "must be a day from 2000 on")
    .nullable()
    .default(null)
    .describe("UTC day of the later snapshot"),
  cause: z.enum(CAUSE_KINDS).nullable().default(null),
});
export type AlertFilter = z.output<typeof AlertFilter>;

export const AlertQuery = PageInput.extend(AlertFilter.shape);
