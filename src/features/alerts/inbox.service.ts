import { sum } from "d3-array";
import { and, count, desc, eq, inArray, isNotNull, isNull, max, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { buildPagination, type PageQuery } from "@/core/http/page";
import { toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alerts, channels, deliveries } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import { alertCauseSql } from "./cause.service";
import type { InboxFilter } from "./query.schema";
import { getMailState, LABELS, type OutcomeChoice } from "./rules";
import { ALERT_COLUMNS, matchesAlertFilterSql, toAlert } from "./service";

export type Inbox = Awaited<ReturnType<typeof getInbox>>;
/** An alert as the console's inbox shows it. */
export type InboxAlert = Inbox["alerts"][number];
export type InboxSummary = Awaited<ReturnType<typeof getInboxSummary>>;

/** A page of the key's alerts for the console: with creator names, both outcomes and the state of each mail. */
export async function getInbox({ db }: CoreContext, keyId: KeyId, page: PageQuery, filter: Partial<InboxFilter>) {
  const wanted = matchesInboxFilterSql(keyId, filter);
  const order = [desc(alerts.createdAt), desc(alerts.id)];
  // Ids first, so that only the rows of the page are joined.
  const ids = db
    .select({ id: alerts.id })
    .from(alerts)
    .where(wanted)
    .orderBy(...order)
    .offset(page.offset)
    .limit(page.limit);
  const { recipient, status, receipt, receiptAt, finishedAt, createdAt } = deliveries;
  const rows = await db
    .select({
      ...ALERT_COLUMNS,
      cause: alertCauseSql,
      name: channels.name,
      thumbnailUrl: channels.thumbnailUrl,
      readAt: alerts.readAt,
      recipient,
      status,
      receipt,
      mailAt: sql`coalesce(${receiptAt}, ${finishedAt}, ${createdAt})`.mapWith(createdAt),
    })
    .from(alerts)
    .innerJoin(channels, eq(channels.id, alerts.channelId))
    .leftJoin(deliveries, and(eq(deliveries.alertId, alerts.id), isNotNull(deliveries.recipient)))
    .where(inArray(alerts.id, ids))
    .orderBy(...order);
  const inbox = rows.map((row) => ({
    ...toAlert({ ...row, createdAt: row.createdAt.toISOString() }),
    /** The latest name; the channel id once the name is deleted. */
    creator_name: row.name,
    thumbnail_url: row.thumbnailUrl,
    is_read: row.readAt !== null,
    outcome_7d: row.outcome7d,
    outcome_28d: row.outcome28d,
    /** Null when no address was set, it is suppressed for this key, or the creator was muted. */
    mail:
      row.status === null || row.recipient === null
        ? null
        : { state: getMailState(row.status, row.receipt), recipient: row.recipient, at: row.mailAt.toISOString() },
  }));
  return { pagination: buildPagination(page, await db.$count(alerts, wanted)), alerts: inbox };
}

/** The condition that selects a key's alerts by the filter of the inbox. */
export function matchesInboxFilterSql(keyId: KeyId, filter: Partial<InboxFilter>) {
  const { label, outcome, unread, list, ...others } = filter;
  const listed = sql`select from list_creators as listed where listed.key_id = ${keyId}
    and listed.list_id = ${list}::uuid and listed.channel_id = ${alerts.channelId}`;
  return and(
    matchesAlertFilterSql(keyId, others),
    label ? eq(alerts.label, label) : undefined,
    outcome ? sql`${outcomeChoiceSql} = ${outcome}` : undefined,
    unread ? isNull(alerts.readAt) : undefined,
    list ? sql`exists (${listed})` : undefined,
  );
}

/** The choice that an alert's grade belongs to: the grade that `selectShownOutcome` gives, or `pending`. */
export const outcomeChoiceSql = sql<OutcomeChoice>`coalesce(
  nullif(${alerts.outcome28d}, 'unclear'), ${alerts.outcome7d}, ${alerts.outcome28d}, 'pending')`;

/** Creators that the console offers as a filter. */
const MAX_CREATORS = 500;

/** The creators that a key has alerts of, by name, also untracked ones. Beyond 500, those with the latest alerts. */
export function listAlertCreators({ db }: CoreContext, keyId: KeyId) {
  const { id, name } = channels;
  const latest = db
    .select({ id: alerts.channelId, made: count().as("made") })
    .from(alerts)
    .where(eq(alerts.keyId, keyId))
    .groupBy(alerts.channelId)
    .orderBy(desc(max(alerts.createdAt)), alerts.channelId)
    .limit(MAX_CREATORS)
    .as("latest");
  return db
    .select({ channel_id: id, name, alerts: latest.made })
    .from(latest)
    .innerJoin(channels, eq(id, latest.id))
    .orderBy(sql`lower(${name})`, id);
}

/** How many of the key's alerts are unread. */
export function countUnreadAlerts({ db }: CoreContext, keyId: KeyId): Promise<number> {
  return db.$count(alerts, and(eq(alerts.keyId, keyId), isNull(alerts.readAt)));
}

/** Marks one of the key's alerts as read or unread. @throws AppError `not_found` */
export async function markAlert({ db, clock }: CoreContext, keyId: KeyId, id: string, isRead: boolean): Promise<void> {
  const { count } = await db
    .update(alerts)
    .set({ readAt: isRead ? clock.now() : null })
    .where(and(eq(alerts.keyId, keyId), eq(alerts.id, id)));
  if (count === 0) throw new AppError("not_found", "There is no such alert");
}

/**
 * Marks the key's unread alerts that match a filter as read.
 * @returns how many there were, and the instant by which {@link undoAllRead} finds them
 */
export async function markAllRead({ db, clock }: CoreContext, keyId: KeyId, filter: InboxFilter) {
  const at = clock.now();
  const { count } = await db
    .update(alerts)
    .set({ readAt: at })
    .where(matchesInboxFilterSql(keyId, { ...filter, unread: true }));
  return { marked: count, at: at.toISOString() };
}

/** Makes the key's alerts unread again that were marked at an instant. */
export async function undoAllRead({ db }: CoreContext, keyId: KeyId, at: string): Promise<void> {
  await db
    .update(alerts)
    .set({ readAt: null })
    .where(and(eq(alerts.keyId, keyId), eq(alerts.readAt, toDate(at))));
}

const CHOICES = {
  severity: alerts.severity,
  label: alerts.label,
  outcome: outcomeChoiceSql,
  cause: sql<string>`coalesce(${alertCauseSql} ->> 'kind', 'unknown')`,
  unread: sql<boolean>`${alerts.readAt} is null`,
};
type Dimension = keyof typeof CHOICES;
const DIMENSIONS = Object.keys(CHOICES) as Dimension[];

type Group = Record<Dimension, string | boolean | null> & { alerts: number };

/** The key's alerts by each choice of the inbox's filters, given the other filters, and how earlier ones turned out. */
export async function getInboxSummary({ db }: CoreContext, keyId: KeyId, filter: InboxFilter) {
  const { channel_id, list, day } = filter;
  const made = sql<number>`count(*)::int`;
  const [groups, record] = await Promise.all([
    db
      .select({ ...CHOICES, alerts: made })
      .from(alerts)
      .where(matchesInboxFilterSql(keyId, { channel_id, list, day }))
      // By position, because repeated parameters would be other expressions.
      .groupBy(...DIMENSIONS.map((_, index) => sql.raw(String(index + 1)))),
    db
      .select({
        label: alerts.label,
        held: sql<number>`count(*) filter (where ${alerts.outcome7d} = 'held')::int`,
        graded: sql<number>`count(*) filter (where ${alerts.outcome7d} in ('held', 'faded'))::int`,
        alerts: made,
      })
      .from(alerts)
      .where(eq(alerts.keyId, keyId))
      .groupBy(alerts.label),
  ]);
  const count = (dimension: Dimension) => countChoices(groups, filter, dimension);
  return {
    /** All alerts, whatever the filter. */
    total: sum(record, (each) => each.alerts),
    /** Unread alerts, with the other filters. */
    unread: count("unread").true ?? 0,
    severity: count("severity"),
    label: count("label"),
    outcome: count("outcome"),
    cause: count("cause"),
    /** How alerts turned out after 7 days by outlook, whatever the filter; unclear grades are left out. */
    record: [...LABELS, null].flatMap((label) => {
      const found = record.find((each) => each.label === label);
      return found && found.graded > 0 ? [{ label, held: found.held, graded: found.graded }] : [];
    }),
  };
}

/** Alerts by choice of a dimension, among those that match the filters of the other dimensions. */
function countChoices(groups: readonly Group[], filter: InboxFilter, dimension: Dimension): Record<string, number> {
  const others = DIMENSIONS.filter((other) => other !== dimension && filter[other]);
  const counts: Record<string, number> = {};
  for (const group of groups)
    if (group[dimension] !== null && others.every((other) => group[other] === filter[other])) {
      const choice = String(group[dimension]);
      counts[choice] = (counts[choice] ?? 0) + group.alerts;
    }
  return counts;
}
