import { z } from "zod";
import { PageInput, Pagination } from "@/core/http/page";
import { ALERT_LABELS, OUTCOMES } from "@/db/values";
import { OUTCOME_CHOICES } from "./rules";
import { Alert, AlertFilter, MAIL_STATES } from "./schema";

/** Filters of the console's inbox; null filters nothing. */
export const InboxFilter = AlertFilter.extend({
  label: z.enum(ALERT_LABELS).nullable().default(null),
  outcome: z.enum(OUTCOME_CHOICES).nullable().default(null),
  unread: z.boolean().default(false),
  list: z.uuid().nullable().default(null).describe("Only creators of this list"),
});
export type InboxFilter = z.output<typeof InboxFilter>;

export const InboxQuery = PageInput.extend(InboxFilter.shape);

/** An alert as the console's inbox shows it. */
export const InboxAlert = Alert.extend({
  creator_name: z.string().describe("The latest name; the channel id once the name is deleted"),
  thumbnail_url: z.string().nullable(),
  is_read: z.boolean(),
  outcome_7d: z.enum(OUTCOMES).nullable(),
  outcome_28d: z.enum(OUTCOMES).nullable(),
  mail: z
    .object({
      state: z.enum(MAIL_STATES),
      recipient: z.string(),
      at: z.iso.datetime().describe("When the email reached this state"),
    })
    .nullable()
    .describe("Null when no address was set, it is suppressed for this key, or the creator was muted"),
});
export type InboxAlert = z.output<typeof InboxAlert>;

export const Inbox = z.object({ pagination: Pagination, alerts: z.array(InboxAlert) });
export type Inbox = z.output<typeof Inbox>;

const count = z.int().min(0);
const Counts = z.record(z.string(), count).describe("Alerts by choice, with the other filters; no entry for none");

/** What the inbox says about all alerts of a key. */
export const InboxSummary = z.object({
  total: count.describe("All alerts, whatever the filter"),
  unread: count.describe("Unread alerts, with the other filters"),
  severity: Counts,
  label: Counts,
  outcome: Counts,
  cause: Counts,
  record: z
    .array(z.object({ label: z.enum(ALERT_LABELS).nullable(), held: count, graded: count }))
    .describe("How alerts turned out after 7 days by outlook, whatever the filter; unclear grades are left out"),
});
export type InboxSummary = z.output<typeof InboxSummary>;

export const Unread = z.object({ unread: z.int().min(0) });

export const ReadInput = z.object({ id: z.uuid(), is_read: z.boolean() });
export const ReadAnswer = z.object({ is_read: z.boolean() });

export const AllRead = z.object({
  marked: z.int().min(0),
  at: z.iso.datetime().describe("Takes the marks back with `undoAllRead`"),
});
export const UndoInput = AllRead.pick({ at: true });
