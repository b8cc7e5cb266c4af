import { and, count, desc, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import { CSV_ROWS, createCsvReply } from "@/core/http/csv";
import { addDays, type Day, SECOND, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { requestLog } from "@/db/schema";
import { prepareStatement, toIsoText } from "@/db/statement";
import type { KeyId } from "@/features/keys/schema";
import { KEPT_DAYS, KEPT_PER_KEY, REFUSED_KEPT_PER_DAY, STATUS_CLASSES, sanitizePath } from "./request-log.rules";
import {
  type LoggedRequest,
  REQUEST_CSV,
  RequestFilter,
  type RequestPage,
  type RequestQuery,
  type UsageByEndpoint,
  type UsageRange,
} from "./schema";

/** Requests per insert. */
const BATCH = 50;

/** Logs requests in the background. */
export interface RequestLog {
  /** Queues a request, which is stored within a second. Never fails and never waits. */
  record(request: LoggedRequest): void;
  /** Stores the queued requests. */
  flush(): Promise<void>;
}

/**
 * The request log of this process.
 * @param options `flushAfter`: milliseconds from the first queued request to the insert. `maxQueued`: longest queue;
 * further requests are dropped and counted in the service's log
 */
export function createRequestLog(ctx: CoreContext, { flushAfter = SECOND, maxQueued = 10_000 } = {}): RequestLog {
  const shouldKeep = createRefusalFilter();
  let queue: LoggedRequest[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const writeBatch = async () => {
    const batch = queue;
    const lost = dropped;
    queue = [];
    dropped = 0;
    if (lost > 0) ctx.log.warn({ lost }, "requests not logged: queue full");
    if (batch.length === 0) return;
    await insertRequests(ctx.db, { rows: JSON.stringify(batch) }).catch((error) =>
      ctx.log.warn({ err: error, lost: batch.length }, "requests not logged: database failed"),
    );
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeBatch);
    return writing;
  };
  return {
    flush,
    record(request) {
      if (!shouldKeep(request)) return;
      if (queue.length >= maxQueued) dropped++;
      else queue.push({ ...request, path: sanitizePath(request.path) });
      if (queue.length === BATCH) void flush();
      else timer ??= setTimeout(flush, flushAfter).unref();
    },
  };
}

/** Keeps the first refusals of each key and day, so that a key without quota cannot fill the log. */
function createRefusalFilter(): (request: LoggedRequest) => boolean {
  let day: Day = "";
  let refused = new Map<string, number>();
  return ({ at, keyId, status }) => {
    if (status !== 429) return true;
    if (toUtcDay(at) !== day) {
      day = toUtcDay(at);
      refused = new Map();
    }
    const count = (refused.get(keyId) ?? 0) + 1;
    refused.set(keyId, count);
    return count <= REFUSED_KEPT_PER_DAY;
  };
}

/** Skips requests of deleted keys. Commits asynchronously, because a lost log line is harmless. */
const insertRequests = prepareStatement<never, { rows: string }>(sql`
  with fast as materialized (select set_config('synchronous_commit', 'off', true))
  insert into request_log (key_id, at, request_id, method, endpoint, path, query, status, milliseconds)
  select "keyId", at, "requestId", method, endpoint, path, query, status, milliseconds
  from fast, rows from (jsonb_to_recordset(${sql.placeholder("rows")}::jsonb) as ("keyId" text,
    at timestamptz, "requestId" text, method text, endpoint text, path text, query text, status smallint, milliseconds real)
  ) with ordinality as queued
    join api_keys on api_keys.id = "keyId"
  order by ordinality
  for key share of api_keys`);

/** A key's requests of the last days, newest first. @throws ZodError for an invalid filter */
export async function listRequests(ctx: CoreContext, keyId: KeyId, filter: RequestFilter = {}): Promise<RequestPage> {
  const { before, limit, ...bounds } = RequestFilter.parse(filter);
  return selectRequests(ctx, matchesRequestSql(ctx, keyId, bounds), limit, before);
}

/** The key's requests by the query of the API: a page of the newest, or all as CSV. */
export async function queryRequests(ctx: CoreContext, keyId: KeyId, query: RequestQuery) {
  const { status, limit = 50, before, format, ...bounds } = query;
  const isMatch = matchesRequestSql(ctx, keyId, {
    ...bounds,
    status: STATUS_CLASSES.find((name) => name === status) ?? (status === undefined ? undefined : Number(status)),
  });
  if (format === "json") return selectRequests(ctx, isMatch, limit, before);
  const { requests } = await selectRequests(ctx, isMatch, CSV_ROWS);
  const total = await ctx.db.$count(requestLog, isMatch);
  return createCsvReply(requests, REQUEST_CSV, { total, name: "requests" });
}

type RequestBounds = Pick<RequestFilter, "status" | "method" | "path"> & Pick<RequestQuery, "from" | "to">;

function matchesRequestSql({ clock }: CoreContext, keyId: KeyId, { status, method, path, from, to }: RequestBounds) {
  return and(
    eq(requestLog.keyId, keyId),
    gte(requestLog.at, getOldestKept(clock.now())),
    status === undefined ? undefined : matchesStatusSql(status),
    method && eq(requestLog.method, method),
    path === undefined ? undefined : sql`strpos(${requestLog.path} || '?' || ${requestLog.query}, ${path}) > 0`,
    from === undefined ? undefined : gte(requestLog.at, startOfDay(from)),
    to === undefined ? undefined : sql`${requestLog.at} < (${to}::date + 1)::timestamp at time zone 'UTC'`,
  );
}

async function selectRequests({ db }: CoreContext, isWanted: SQL | undefined, limit: number, before?: string) {
  const from = before === undefined ? undefined : parsePageStart(before);
  const isMatch = and(isWanted, from && lte(requestLog.at, from.at));
  const { requestId: request_id, method, path, query, status, milliseconds } = requestLog;
  const entry = { request_id, at: toIsoText(requestLog.at), method, path, query, status, milliseconds };
  const matching = db.select(entry).from(requestLog);
  const sorted = matching.where(isMatch).orderBy(desc(requestLog.at), desc(requestLog.id));
  const rows = await sorted.offset(from?.shown ?? 0).limit(limit + 1);
  const requests = rows.slice(0, limit);
  return { requests, next_before: rows.length > limit ? getNextPage(requests, from) : null };
}

/** Counts a key's requests of the last days by endpoint and status, the most frequent first. */
export async function countRequests(ctx: CoreContext, keyId: KeyId, range: UsageRange = {}): Promise<UsageByEndpoint> {
  const { method, endpoint, status } = requestLog;
  const requests = count();
  const endpoints = await ctx.db
    .select({ method, endpoint, status, requests })
    .from(requestLog)
    .where(matchesRequestSql(ctx, keyId, range))
    .groupBy(method, endpoint, status)
    .orderBy(desc(requests), endpoint, method, status);
  return { endpoints };
}

/** Deletes requests older than 7 days, and the oldest of each key beyond 20,000. */
export async function purgeRequests({ db, clock }: CoreContext): Promise<void> {
  await db.delete(requestLog).where(lt(requestLog.at, getOldestKept(clock.now())));
  await db.execute(sql`
    delete from request_log using (
      select id, row_number() over (partition by key_id order by at desc, id desc) as place from request_log
    ) as placed
    where request_log.id = placed.id and place > ${KEPT_PER_KEY}`);
}

function getOldestKept(now: Date): Date {
  return startOfDay(addDays(toUtcDay(now), -KEPT_DAYS));
}

function matchesStatusSql(status: NonNullable<RequestFilter["status"]>) {
  if (typeof status === "number") return eq(requestLog.status, status);
  return sql`${requestLog.status} / 100 = ${Number(status[0])}::int`;
}

/** Where a page begins: at an instant, after the requests of it shown so far. Ids would reveal other keys' traffic. */
function parsePageStart(cursor: string) {
  const [at = 0, shown = 0] = cursor.split("-").map(Number);
  return { at: toDate(at), shown };
}

function getNextPage(page: { at: string }[], from?: ReturnType<typeof parsePageStart>): string | null {
  const last = page.at(-1)?.at;
  if (last === undefined) return null;
  const shown = page.filter(({ at }) => at === last).length;
  return `${toDate(last).getTime()}-${from?.at.toISOString() === last ? from.shown + shown : shown}`;
}
