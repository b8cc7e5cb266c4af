import { sum } from "d3-array";
import { eq, sql } from "drizzle-orm";
import type { CoreContext } from "@/db/context";
import { alerts } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import { alertCauseSql } from "./cause.service";
import type { InboxFilter, InboxSummary } from "./inbox.schema";
import { matchesInboxFilterSql, outcomeChoiceSql } from "./inbox.service";
import { LABELS } from "./rules";

const COLUMNS = {
  severity: alerts.severity,
  label: alerts.label,
  outcome: outcomeChoiceSql,
  cause: sql<string>`coalesce(${alertCauseSql} ->> 'kind', 'unknown')`,
  unread: sql<boolean>`${alerts.readAt} is null`,
};
type Dimension = keyof typeof COLUMNS;
const DIMENSIONS = Object.keys(COLUMNS) as Dimension[];

type Group = Record<Dimension, string | boolean | null> & { alerts: number };

/**
 * How many of the key's alerts each choice of the inbox's filters has, given the other filters, and how earlier alerts
 * turned out.
 */
export async function getInboxSummary({ db }: CoreContext, keyId: KeyId, filter: InboxFilter): Promise<InboxSummary> {
  const { channel_id, list, day } = filter;
  const made = sql<number>`count(*)::int`;
  const [groups, record] = await Promise.all([
    db
      .select({ ...COLUMNS, alerts: made })
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
    total: sum(record, (each) => each.alerts),
    unread: count("unread").true ?? 0,
    severity: count("severity"),
    label: count("label"),
    outcome: count("outcome"),
    cause: count("cause"),
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
