import { type SQL, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { CSV_ROWS, createCsvReply, toPlainCell } from "@/core/http/csv";
import { buildPagination } from "@/core/http/page";
import type { Reply } from "@/core/http/reply";
import type { CoreContext } from "@/db/context";
import { findChannelId } from "@/features/creators/rows.service";
import type { KeyId } from "@/features/keys/schema";
import { ALERT_CSV, type AlertListPage, type AlertListQuery, toCsvCause } from "./query.schema";
import { type AlertRow, listAlerts, matchesAlertFilterSql, selectAlertSql, toAlert } from "./service";

/** The key's alerts by the query of the API: a page of the newest, those after one of them, or all as CSV. */
export async function queryAlerts(
  ctx: CoreContext,
  keyId: KeyId,
  { offset = 0, limit = 20, after, format, channel_id: channel, ...bounds }: AlertListQuery,
): Promise<AlertListPage | Reply> {
  const filter = { ...bounds, channel_id: channel && (await findChannelId(ctx, channel)) };
  if (format === "csv") return exportAlerts(ctx, keyId, filter);
  if (after !== undefined) return listAlertsAfter(ctx, keyId, { after, limit, filter });
  return { ...(await listAlerts(ctx, keyId, { offset, limit }, filter)), next_after: null };
}

type Filter = Parameters<typeof matchesAlertFilterSql>[1];

async function exportAlerts(ctx: CoreContext, keyId: KeyId, filter: Filter): Promise<Reply> {
  const { alerts, pagination } = await listAlerts(ctx, keyId, { offset: 0, limit: CSV_ROWS }, filter);
  const rows = alerts.map(({ cause, ...alert }) => ({
    ...alert,
    ...toCsvCause(cause),
    message: toPlainCell(alert.message),
    cause_text: toPlainCell(cause.text),
  }));
  return createCsvReply(rows, ALERT_CSV, { total: pagination.total, name: "alerts" });
}

/**
 * The key's alerts after one of them, oldest first, in the order in which they were committed: by their positions in the
 * key's feed, which a reader sees without gaps.
 * @throws AppError `cursor_not_found` when it is no alert of the key
 */
async function listAlertsAfter(
  ctx: CoreContext,
  keyId: KeyId,
  { after, limit, filter }: { after: string; limit: number; filter: Filter },
): Promise<AlertListPage> {
  const start = after === "" ? 0 : await findPosition(ctx, keyId, after);
  if (start === null) throw new AppError("cursor_not_found", "after is not the id of an alert of your key");
  const later: SQL = sql`
    from changes join alerts on alerts.id = changes.alert_id
    where changes.key_id = ${keyId} and changes.position > ${start}::int8 and changes.kind = 'alert_created'
      and ${matchesAlertFilterSql(keyId, filter)}`;
  const rows = await ctx.db.execute<{ total: number } & AlertRow>(sql`
    select counted.total, ${selectAlertSql()}
    from (select count(*)::int as total ${later}) as counted
    left join (
      select changes.alert_id, changes.position ${later} order by changes.position limit ${limit}
    ) as found on true
    left join alerts on alerts.id = found.alert_id
    order by found.position`);
  // Without a later alert there is one row, with the total alone.
  const alerts = rows.filter(({ id }) => id !== null).map(toAlert);
  return {
    pagination: buildPagination({ offset: 0, limit }, rows[0]?.total ?? 0),
    alerts,
    next_after: alerts.at(-1)?.id ?? after,
  };
}

async function findPosition({ db }: CoreContext, keyId: KeyId, id: string): Promise<string | null> {
  const [row] = await db.execute<{ position: string }>(sql`
    select position from changes where alert_id = ${id}::uuid and kind = 'alert_created' and key_id = ${keyId}`);
  return row?.position ?? null;
}
