import { z } from "zod";
import { PageInput, type Pagination } from "@/core/http/page";
import { ALERT_LABELS } from "@/db/values";
import { type AlertLabel, OUTCOME_CHOICES, type Outcome } from "./rules";
import { type Alert, AlertFilter, type MailState } from "./schema";

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
export interface InboxAlert extends Alert {
  /** The latest name; the channel id once the name is deleted. */
  creator_name: string;
  thumbnail_url: string | null;
  is_read: boolean;
  outcome_7d: Outcome | null;
  outcome_28d: Outcome | null;
  /** Null when no address was set, it is suppressed for this key, or the creator was muted. */
  mail: { state: MailState; recipient: string; at: string } | null;
}

export interface Inbox {
  pagination: Pagination;
  alerts: InboxAlert[];
}

/** Alerts by choice, with the other filters; no entry for none. */
type Counts = Record<string, number>;

/** What the inbox says about all alerts of a key. */
export interface InboxSummary {
  /** All alerts, whatever the filter. */
  total: number;
  /** Unread alerts, with the other filters. */
  unread: number;
  severity: Counts;
  label: Counts;
  outcome: Counts;
  cause: Counts;
  /** How alerts turned out after 7 days by outlook, whatever the filter; unclear grades are left out. */
  record: { label: AlertLabel | null; held: number; graded: number }[];
}

export const ReadInput = z.object({ id: z.uuid(), is_read: z.boolean() });
export const UndoInput = z.object({ at: z.iso.datetime() });
