import { z } from "zod";
import { ALERT_LABELS, OUTCOMES, SEVERITIES } from "@/core/db/schema";
import { contract } from "@/core/http/contract";
import { PageInput, PageQuery, Pagination } from "@/core/http/page";
import { CHANNEL_ID } from "@/features/creators/rules";
import { EXAMPLE_CREATOR } from "@/features/creators/schema";

/** How far the mail of an alert has come. */
export const MAIL_STATES = [
  "pending",
  "sent",
  "delayed",
  "delivered",
  "bounced",
  "complained",
  "failed",
  "skipped",
  "unknown",
] as const;
export type MailState = (typeof MAIL_STATES)[number];

export const ALERT_TYPE = "HIGH_GROWTH";

export const Alert = z
  .object({
    channel_id: z.string().describe("Identifier of the creator's channel"),
    alert_type: z.literal(ALERT_TYPE),
    message: z.string().describe("<creator name> grew <percent>% in one day (<before> → <after>)"),
    created_at: z.iso.datetime().describe("UTC"),
    percent: z
      .number()
      .describe(
        "One-day growth in percent, one decimal, rounded half up, but never up to 10, 15, 25 or 50 unless the counts reach it",
      ),
    subscribers_before: z.int(),
    subscribers_after: z.int(),
    growth_low: z.number().describe("Lowest true growth in percent that the platform's rounding allows"),
    growth_high: z.number().describe("Highest true growth in percent that the platform's rounding allows"),
    certain: z.boolean().describe("Whether even the lowest true growth is above 10 %"),
    severity: z.enum(SEVERITIES),
    channel_url: z.url(),
    label: z
      .enum(ALERT_LABELS)
      .nullable()
      .describe(
        "sustained: the channel was growing already. spike: the day stands alone. too_early: under 14 days of readings",
      ),
    reason: z.string().nullable().describe("Why it has that label, in one sentence"),
    outcome: z
      .enum(OUTCOMES)
      .nullable()
      .describe(
        "Graded 7 and 28 days later. held: at least half as many subscribers again by then (28 days: as many again) as on the day itself. faded: fewer. unclear: readings are missing, or too rounded to tell. The later clear grade counts; null until the first one",
      ),
  })
  .meta({ id: "Alert" });
export type Alert = z.output<typeof Alert>;

export const AlertPage = z.object({
  pagination: Pagination,
  alerts: z.array(Alert),
});

/** Which alerts a reader wants to see; null leaves a filter out. */
export const AlertFilter = z.object({
  severity: z.enum(SEVERITIES).nullable().default(null),
  channel_id: z.string().regex(CHANNEL_ID, "must be a channel id").nullable().default(null),
  day: z.iso
    .date()
    .refine((day) => day >= "2000-01-01", "must be a day from 2000 on")
    .nullable()
    .default(null)
    .describe("UTC day of the reading that grew"),
});
export type AlertFilter = z.output<typeof AlertFilter>;

export const AlertQuery = PageInput.extend(AlertFilter.shape);

/** An alert as the console's inbox shows it. */
export const InboxAlert = Alert.extend({
  id: z.uuid(),
  day: z.iso.date().describe("UTC day of the reading that grew; the one before it is of the day before"),
  creator_name: z.string().describe("As last read; the identifier where the name is no longer kept"),
  outcome_7d: z.enum(OUTCOMES).nullable(),
  outcome_28d: z.enum(OUTCOMES).nullable(),
  mail: z
    .object({
      state: z.enum(MAIL_STATES),
      recipient: z.string(),
      at: z.iso.datetime().describe("Since when it is so, as far as known"),
    })
    .nullable()
    .describe("Null when no mail was to be sent: no address was set, or it gets no mails of this key"),
});
export type InboxAlert = z.output<typeof InboxAlert>;

export const Inbox = z.object({ pagination: Pagination, alerts: z.array(InboxAlert) });

/** The creators that a key has alerts of, by name, with how many. */
export const AlertCreators = z.object({
  creators: z.array(z.object({ channel_id: z.string(), name: z.string(), alerts: z.int().min(1) })),
});
export type AlertCreators = z.output<typeof AlertCreators>;
const EXAMPLE_ALERT: Alert = {
  channel_id: EXAMPLE_CREATOR.channel_id,
  alert_type: ALERT_TYPE,
  message: `${EXAMPLE_CREATOR.name} grew 19.2% in one day (640 → 763)`,
  created_at: "2026-11-20T06:00:04.218Z",
  percent: 19.2,
  subscribers_before: 640,
  subscribers_after: 763,
  growth_low: 19.2,
  growth_high: 19.3,
  certain: true,
  severity: "RISING FAST",
  channel_url: EXAMPLE_CREATOR.url,
  label: "sustained",
  reason: "The channel was growing by about 5.6 % a week before this day",
  outcome: null,
};

export const listAlertsContract = contract({
  method: "GET",
  path: "/api/alerts",
  id: "listAlerts",
  tag: "Alerts",
  summary: "The key's alerts, newest first",
  description:
    "Ask for the next page by raising `offset` by the `limit` used, for as long as `pagination.has_more` is true.",
  query: PageQuery,
  answer: AlertPage,
  example: {
    query: { limit: 20 },
    answer: {
      pagination: { total: 1, offset: 0, limit: 20, has_more: false },
      alerts: [EXAMPLE_ALERT],
    },
  },
});
