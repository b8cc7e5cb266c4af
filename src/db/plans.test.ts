import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { addDays, toUtcDay } from "@/core/time";
import { isCausePending, listPendingCauses, readCause, takeLostCauses } from "@/features/alerts/cause.service";
import { countUnreadAlerts, getInbox } from "@/features/alerts/inbox.service";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import { AlertListPage } from "@/features/alerts/query.schema";
import { listAlerts, queryAlerts } from "@/features/alerts/service";
import { listChanges } from "@/features/changes/service";
import { listHistory } from "@/features/creators/history.service";
import { queryTracked } from "@/features/creators/list.service";
import { getCreator, previewChannels } from "@/features/creators/preview.service";
import { TrackedListQuery, TrackedQuery, TrackedSort } from "@/features/creators/query.schema";
import { findTrackedId, listTracked } from "@/features/creators/rows.service";
import { trackCreator, untrackCreator } from "@/features/creators/service";
import { createShare, listShares, revokeShare } from "@/features/creators/shares.service";
import { countTableTabs, getTableChoices, getTrackedTable } from "@/features/creators/table.service";
import { DiscoverQuery } from "@/features/discovery/schema";
import { searchNiche } from "@/features/discovery/search.service";
import { discoverWithDetails } from "@/features/discovery/service";
import { recordSnapshots } from "@/features/growth/service";
import { listAuditEntries } from "@/features/keys/audit.service";
import { hashKey } from "@/features/keys/rules";
import type { KeyId } from "@/features/keys/schema";
import {
  addToList,
  createList,
  deleteList,
  findListsWithCreator,
  getNote,
  listCreatorLists,
  listSavedViews,
  removeFromList,
  saveNote,
  saveView,
} from "@/features/lists/service";
import { deliver, sweepStranded, takeStranded } from "@/features/notifications/deliveries.service";
import { listMutedCreators, listMutedPage, muteCreator, unmuteCreator } from "@/features/notifications/mutes.service";
import { beginSession, signIn } from "@/features/sessions/service";
import { finishBatches, readBatches } from "@/features/snapshots/batches.service";
import { listUndeliveredAlerts, recordDaily } from "@/features/snapshots/daily.service";
import { purgeExpired } from "@/features/snapshots/retention.service";
import { closeRun } from "@/features/snapshots/service";
import { createPostgresQuota } from "@/features/usage/quota.service";
import { countRequests, listRequests, queryRequests } from "@/features/usage/request-log.service";
import { RequestQuery } from "@/features/usage/schema";
import { getUsage, getUsageByDay } from "@/features/usage/service";
import { getRecentVideos } from "@/features/videos/service";
import type { PlatformContext } from "@/platform/port";
import { createFakePlatform } from "@/test/platform";
import { createKey, type TestKey, type TestService, useService } from "@/test/service";
import { connect, type Database, SESSION } from "./client";
import * as schema from "./schema";

const CHANNELS = 5000;
const DAYS = 10;
const KEYS = 2000;
const ALERTS_PER_KEY = 20;
/** Small tables, where a sequential scan is right. */
const SMALL = ["chance_corrections", "snapshot_runs", "alert_emails", "suppressions"];
const NICHES = 200;
/** A list that every key has. */
const LIST = "00000000-0000-4000-8000-000000000001";
const REQUESTS_PER_KEY = 20;

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: PlanNode[];
}
const Explained = z.object({ Plan: z.custom<PlanNode>((plan) => typeof plan === "object") });

describe("query plans on a large database", () => {
  const service = useService();
  let explained: Explaining;
  let ctx: TestService & PlatformContext;
  let key: TestKey;
  let day: string;

  beforeAll(async () => {
    key = await createKey(service, "pro");
    day = toUtcDay(service.clock.now());
    await fill(service.db, key.id, day);
    explained = await openExplaining(service.databaseUrl);
    const { db } = explained;
    await db.execute(sql`set random_page_cost = 1.1`);
    const platform = createFakePlatform(service.clock);
    for (const number of [1, 2]) platform.show(createId(number), day, 2000);
    ctx = { ...service, db, platform, quota: createPostgresQuota({ ...service, db }) };
  });
  afterAll(() => explained.close());

  const fetchStats = async (number: number) => (await ctx.platform.listChannels([createId(number)])).channels;
  const used = new Set<string>();

  it.each<[string, () => unknown]>([
    ["admitting a request", () => ctx.quota.admit?.(hashKey(key.secret))],
    ["refusing a request", () => ctx.quota.take(key.id, 1)],
    ["usage", () => getUsage(ctx, key, 1)],
    ["a page of alerts", () => listAlerts(ctx, key.id, { offset: 20, limit: 20 })],
    [
      "alerts after another one, and changes",
      async () => {
        const query = { after: "", limit: 20, format: "json" as const };
        const { next_after } = AlertListPage.parse(await queryAlerts(ctx, key.id, query));
        await queryAlerts(ctx, key.id, { ...query, after: next_after ?? "" });
        await listChanges(ctx, key.id, { after: "", limit: 20 });
      },
    ],
    [
      "a page of the inbox",
      () => {
        const all = { severity: null, channel_id: null, day: null };
        return getInbox(ctx, key.id, { offset: 0, limit: 20 }, all);
      },
    ],
    ["counting what is unread", () => countUnreadAlerts(ctx, key.id)],
    [
      "muting",
      async () => {
        await muteCreator(ctx, key.id, createId(3));
        await listMutedCreators(ctx, key.id);
        await listMutedPage(ctx, key.id, { offset: 0, limit: 20 });
        await unmuteCreator(ctx, key.id, createId(3));
      },
    ],
    ["a page of creators", () => listTracked(ctx, key.id, { offset: 0, limit: 20 })],
    [
      "a page of creators in another order, and after a creator",
      async () => {
        for (const sort of TrackedSort.options.flatMap((name) => [name, `-${name}`]))
          await queryTracked(
            ctx,
            key.id,
            TrackedListQuery.parse({ sort, level: "STABLE", status: "active", list: "List 1" }),
          );
        await queryTracked(ctx, key.id, TrackedListQuery.parse({ after: createId(3) }));
      },
    ],
    ["a creator that is not tracked", () => getCreator(ctx, key.id, { kind: "id", id: createId(1) })],
    ["requests by day", () => getUsageByDay(ctx, key)],
    ["a preview", () => previewChannels(ctx, key.id, [createId(1), "@maker.5", "@unknown.maker"])],
    ["finding a creator by handle", () => findTrackedId(ctx, key.id, { kind: "handle", handle: "@Maker.3" })],
    ["a creator's history", () => listHistory(ctx, key.id, createId(1))],
    [
      "tracking and untracking",
      async () => {
        await trackCreator(ctx, key.id, { kind: "id", id: createId(2) });
        await untrackCreator(ctx, key.id, createId(2));
      },
    ],
    ["the table of a list", () => getTrackedTable(ctx, key.id, TrackedQuery.parse({ list: LIST }))],
    [
      "the filtered table, its tabs and its choices",
      async () => {
        const since = { alert_day: day, changed_since: `${day}T00:00:00Z` };
        const filters = { niche: "niche1", country: "DE", size: 1000, ...since } as const;
        await getTrackedTable(ctx, key.id, TrackedQuery.parse({ ...filters, sort: "growth_28d" }));
        await countTableTabs(ctx, key.id, since);
        await getTableChoices(ctx, key.id);
      },
    ],
    [
      "organising",
      async () => {
        await listCreatorLists(ctx, key.id);
        await createList(ctx, key.id, "New");
        await removeFromList(ctx, key.id, LIST, [createId(3)]);
        await addToList(ctx, key.id, LIST, [createId(3)]);
        await findListsWithCreator(ctx, key.id, createId(3));
        await deleteList(ctx, key.id, LIST);
        await saveNote(ctx, key.id, createId(3), "New");
        await getNote(ctx, key.id, createId(3));
        await saveView(ctx, key.id, "New", "");
        await listSavedViews(ctx, key.id);
      },
    ],
    [
      "shared links",
      async () => {
        const { id: shared } = await createShare({ ...ctx, appUrl: "", mayPublish: true }, key.id, {
          channel_id: createId(3),
          days: 7,
        });
        await listShares(ctx, key.id);
        await revokeShare(ctx, key.id, shared);
      },
    ],
    ["reading a batch", () => readBatches(ctx, day, [1])],
    ["storing snapshots and alerts", async () => recordDaily(ctx, day, service.clock.now(), await fetchStats(1))],
    ["storing snapshots for tracking", async () => recordSnapshots(ctx, day, "track", await fetchStats(1))],
    [
      "a discovery",
      () =>
        discoverWithDetails({ ...ctx, requestRenewal: async () => {} }, key, DiscoverQuery.parse({ niche: "niche 1" })),
    ],
    ["a page of requests", () => listRequests(ctx, key.id)],
    ["requests by endpoint", () => countRequests(ctx, key.id, { from: day })],
    ["all requests", () => queryRequests(ctx, key.id, RequestQuery.parse({ format: "csv", status: "2xx", to: day }))],
    ["the log of a key", () => listAuditEntries(ctx, key.id, 100)],
    ["beginning a session", () => beginSession(ctx, key.id)],
    ["a failed sign-in", () => expect(signIn(ctx, "wrong", "192.0.2.1")).rejects.toThrow()],
    ["grading alerts", () => gradeAlerts(ctx)],
    ["finding causes to read", () => listPendingCauses(ctx, day, [createId(1)])],
    ["reading a cause", () => readCause(ctx, { channelId: createId(1), day })],
    ["waiting for a cause", () => isCausePending(ctx, "00000000-0000-4000-8000-000000000000")],
    ["the sweep of causes", () => takeLostCauses(ctx)],
    ["the newest videos", () => getRecentVideos(ctx, createId(2))],
    ["finding alerts to deliver", () => listUndeliveredAlerts(ctx, day, [createId(1)])],
    ["finishing a batch", () => finishBatches(ctx, day, [1], [createId(1)])],
    ["finishing a run", () => closeRun(ctx, day)],
    [
      "a delivery",
      async () => {
        const [alert] = await listUndeliveredAlerts(ctx, day, [createId(1)]);
        await deliver(ctx, alert ?? "", "monitoring");
      },
    ],
    ["the sweep", () => sweepStranded(ctx)],
    ["the sweep at a start", () => takeStranded(ctx, 0)],
  ])("use only indexes for %s", async (_, verb) => {
    const { indexes, scanned } = await explained.explain(verb);
    expect(scanned).toEqual([]);
    for (const index of indexes) used.add(index);
  });

  it("use every secondary index in one of these functions or the purge", async () => {
    const { indexes } = await explained.explain(async () => {
      await searchNiche(ctx, { niche: "niche1", spelling: "niche 1", purpose: "first", limit: null, isDue: sql`true` });
      await purgeExpired(ctx, { snapshotDays: 30, alertDays: null });
    });
    for (const index of indexes) used.add(index);
    const kept = await service.db.execute<{ name: string }>(sql`
      select indexrelid::regclass::text as name from pg_index
      join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and not indisunique`);
    expect(kept.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe("query plans on a new database", () => {
  const service = useService();

  it("read the snapshots of a batch by index, since the plan is kept while the table grows", async () => {
    const { db, explain, close } = await openExplaining(service.databaseUrl);
    const day = toUtcDay(service.clock.now());
    const platform = createFakePlatform(service.clock);
    const ids = Array.from({ length: 50 }, (_, number) => createId(number));
    for (const channel of ids) platform.show(channel, day, 2000);
    await db.execute(sql`insert into snapshot_runs (day, started_at, plans) values (${day}::date, now(), 1)`);
    await db.execute(sql`
      insert into snapshot_batches (day, batch, channel_ids, status, touched_at)
      select ${day}::date, 0, array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)), 'pending', now()`);
    const { indexes, scanned } = await explain(async () => {
      await recordSnapshots({ ...service, db }, day, "daily", (await platform.listChannels(ids)).channels);
      await finishBatches({ ...service, db }, day, [0], ids);
    });
    expect(scanned).not.toContain("snapshots");
    expect([...indexes]).toContain("snapshots_channel_id_day_pk");
    await close();
  });
});

describe("query plans with one large key and one small key", () => {
  const service = useService();

  it("are made once for all keys in statements of requests", async () => {
    const much = await createKey(service, "pro");
    const little = await createKey(service, "pro");
    await fillUnevenly(service.db, much.id, little.id);
    const { db, close } = connect(service.databaseUrl);
    const ctx = { ...service, db };
    const quota = createPostgresQuota({ ...service, db });
    for (let time = 0; time < 10; time++) {
      await quota.admit(hashKey(little.secret));
      await getUsage(ctx, little, 1);
      await listAlerts(ctx, little.id, { offset: 0, limit: 20 });
      await listTracked(ctx, little.id, { offset: 0, limit: 20 });
    }
    // Statements one after another use one connection.
    const plans = await db.execute(sql`
      select custom_plans::int as own, generic_plans::int as common from pg_prepared_statements
      where custom_plans + generic_plans >= 10`);
    await close();
    // PostgreSQL plans a statement five times before it considers a generic plan.
    expect([...plans]).toEqual([0, 0, 0, 0].map(() => ({ own: 5, common: 5 })));
  });
});

interface Explaining {
  db: Database;
  /** The indexes that the verb's statements use, and the large tables that they scan. */
  explain(verb: () => unknown): Promise<{ indexes: Set<string>; scanned: string[] }>;
  close(): Promise<void>;
}

/** A connection that receives the plan of each of its statements. */
async function openExplaining(url: string): Promise<Explaining> {
  const seen: PlanNode[] = [];
  const recordPlan = (message: string) => {
    if (message.includes("plan:"))
      seen.push(...listNodes(Explained.parse(JSON.parse(message.slice(message.indexOf("{")))).Plan));
  };
  const client = postgres(url, {
    max: 1,
    connection: { ...SESSION },
    onnotice: ({ message = "" }) => recordPlan(message),
  });
  await client.unsafe(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
    set auto_explain.log_format = 'json'; set auto_explain.log_nested_statements = on; set client_min_messages = log`);
  return {
    db: drizzle(client, { schema, casing: "snake_case" }),
    close: () => client.end(),
    async explain(verb) {
      seen.length = 0;
      await verb();
      const indexes = seen.flatMap((node) => node["Index Name"] ?? []);
      const scanned = seen.flatMap((node) => (node["Node Type"] === "Seq Scan" ? (node["Relation Name"] ?? []) : []));
      return { indexes: new Set(indexes), scanned: scanned.filter((name) => !SMALL.includes(name)) };
    },
  };
}

function listNodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listNodes)];
}

function createId(number: number): string {
  return `UC${String(number).padStart(22, "0")}`;
}

async function fillUnevenly(db: Database, much: KeyId, little: KeyId): Promise<void> {
  await db.execute(sql`
    insert into channels (id, name, status, subscribers, read_at, score, score_basis, score_version)
    select 'UC' || lpad(n::text, 22, '0'), 'Channel', 'active', 1000, now(), 0, 'history', 1 from generate_series(1, 5000) n`);
  await db.execute(sql`
    insert into tracked_creators (key_id, channel_id, tracked_since)
    select ${much}, id, now() from channels union all select ${little}, ${createId(1)}, now()`);
  await db.execute(sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at)
    select key_id, channel_id, current_date, 1000, 1500, 'EXPLOSIVE', '', now() from tracked_creators`);
  await db.execute(sql`vacuum analyze`);
}

/** Channels with four weeks of snapshots, keys that track ten each and have old alerts, and batches of a day. */
async function fill(db: Database, ownKey: KeyId, day: string): Promise<void> {
  const channel = sql.raw(`'UC' || lpad((1 + n % ${CHANNELS})::text, 22, '0')`);
  const at = sql`${`${addDays(day, -1)}T06:00:00Z`}::timestamptz`;
  await db.execute(sql`
    insert into api_keys (id, secret_hash, hint, label, tier, created_at)
    select 'key_' || n, encode(sha256(n::text::bytea), 'hex'), '', 'Filled', 'pro', ${at} from generate_series(1, ${KEYS}::int) n`);
  await db.execute(sql`
    insert into channels (id, name, handle, status, subscribers, read_at, score, score_basis, score_version)
    select ${channel}, 'Channel', '@maker.' || 1 + n, 'active', 1000, ${at}, 0, 'history', 1 from generate_series(0, ${CHANNELS}::int - 1) n`);
  await db.execute(sql`
    insert into snapshots (channel_id, day, read_at, source, subscribers, score, score_version, score_parts)
    select ${channel}, ${day}::date - back, ${at} - make_interval(days => back - 1), 'daily', 1000, 0, 1, '{}'
    from generate_series(0, ${CHANNELS}::int - 1) n, generate_series(1, ${DAYS}::int) back`);
  const keys = sql`(select 'key_' || n as key_id, n as number from generate_series(1, ${KEYS}::int) n union all select ${ownKey}, 0)`;
  await db.execute(sql`
    insert into tracked_creators (key_id, channel_id, tracked_since)
    select key_id, ${channel}, ${at} - interval '28 days' from ${keys} keys, lateral (select number * 10 + s as n from generate_series(0, 9) s) t`);
  await db.execute(sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at,
      outcome_7d, outcome_7d_at, outcome_28d, outcome_28d_at)
    select key_id, ${channel}, ${day}::date - n % 28 - 1, 1000, 1500, 'EXPLOSIVE', '', ${at} - make_interval(days => n % 28),
      outcome, graded, outcome, graded
    from (values ('held', ${at})) as grade (outcome, graded), ${keys} keys, lateral (select number * 10 + s as n from generate_series(1, ${ALERTS_PER_KEY}::int) s) t`);
  await db.execute(sql`
    update alerts set outcome_7d = null, outcome_7d_at = null where key_id = 'key_1'`);
  await db.execute(sql`
    insert into alert_causes (channel_id, day, kind, created_at, read_at)
    select distinct channel_id, day, 'no_new_video', created_at, created_at from alerts`);
  await db.execute(sql`
    insert into videos (channel_id, video_id, title, published_at, views, read_at)
    select id, 'video' || n, 'Title', ${at}, 1000, ${at} from channels, generate_series(1, 3) n`);
  await db.execute(sql`
    insert into key_positions (key_id, position, purged) select id, ${ALERTS_PER_KEY}, 0 from api_keys`);
  await db.execute(sql`
    insert into changes (key_id, position, kind, at, channel_id, alert_id)
    select key_id, row_number() over (partition by key_id order by created_at, id), 'alert_created', created_at, channel_id, id
    from alerts`);
  await db.execute(sql`
    insert into deliveries (alert_id, destination, status, created_at, finished_at, attempts)
    select id, 'monitoring', 'sent', created_at, created_at, 1 from alerts`);
  await db.execute(sql`
    insert into daily_usage (key_id, day, requests, last_request_at)
    select id, ${day}::date - back, 1, ${at} from api_keys, generate_series(1, 10) back`);
  await db.execute(sql`
    insert into daily_allowances (scope, kind, day, used, key_id)
    select id, kind, ${day}::date - back, 1, id
    from api_keys, generate_series(1, 10) back, unnest(array['lookup', 'new_niche', 'test_email']) as kind`);
  await db.execute(
    sql`insert into alert_emails (key_id, email, set_at) select id, id || '@example.com', ${at} from api_keys`,
  );
  await db.execute(sql`
    insert into suppressions (key_id, email, reason, since) select id, 'old@example.com', 'unsubscribed', ${at} from api_keys`);
  await db.execute(sql`
    insert into snapshot_runs (day, started_at, plans)
    select ${day}::date - back, ${at}, 1 from generate_series(0, 9) back`);
  await db.execute(sql`
    insert into snapshot_batches (day, batch, channel_ids, status, touched_at)
    select ${day}::date - back, b, array(select ${channel} from generate_series(b * 50, b * 50 + 49) n), 'done', ${at}
    from generate_series(0, 9) back, generate_series(0, ${CHANNELS}::int / 50 - 1) b`);
  await db.execute(sql`
    insert into niches (niche, spelling, refreshed_at)
    select 'niche' || n, 'niche ' || n, ${at} from generate_series(1, ${NICHES}::int) n`);
  await db.execute(sql`
    insert into niche_channels (niche, channel_id, found_at)
    select 'niche' || 1 + n % ${NICHES}::int, ${channel}, ${at} from generate_series(1, ${CHANNELS}::int) n`);
  await db.execute(sql`
    insert into niche_requests (niche, key_id, day, spelling)
    select 'niche' || 1 + n % ${NICHES}::int, 'key_' || n, ${day}::date - n % 7, 'niche' from generate_series(1, ${KEYS}::int) n`);
  await db.execute(sql`
    insert into niche_queue (key_id, niche, spelling, queued_at, turn)
    select 'key_' || n, 'new' || n, 'new', ${at}, 0 from generate_series(1, ${KEYS}::int) n`);
  await db.execute(sql`
    insert into request_log (key_id, at, request_id, method, endpoint, path, query, status, milliseconds)
    select id, ${at} - make_interval(hours => n), 'req', 'GET', '/api/usage', '/api/usage', '', 200, 1
    from api_keys, generate_series(1, ${REQUESTS_PER_KEY}::int) n`);
  await db.execute(sql`
    insert into audit_log (key_id, at, action, actor, source, outcome)
    select id, ${at} - make_interval(hours => n), 'signed_in', 'owner', '192.0.2.7', 'done'
    from api_keys, generate_series(1, 50) n`);
  await db.execute(sql`
    insert into console_sessions (key_id, begun_at)
    select id, ${at} + make_interval(mins => n) from api_keys, generate_series(1, 5) n`);
  await db.execute(sql`
    insert into creator_lists (key_id, id, name, folded_name, created_at)
    select id, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'List ' || n, 'list ' || n, ${at}
    from api_keys, generate_series(1, 5) n`);
  await db.execute(sql`
    insert into list_creators (key_id, list_id, channel_id)
    select key_id, id, channel_id from creator_lists join tracked_creators using (key_id)`);
  await db.execute(sql`
    insert into shares (key_id, channel_id, token_hash, created_at, expires_at)
    select key_id, channel_id, encode(sha256((key_id || channel_id)::bytea), 'hex'), ${at}, ${at} + interval '7 days'
    from tracked_creators`);
  await db.execute(sql`
    insert into key_requests (id, name, email, tier, purpose, requested_at)
    select 'req_' || n, 'Name', 'scout@example.com', 'free', 'Scouting', ${at} from generate_series(1, 10000) n`);
  await db.execute(sql`
    insert into muted_creators (key_id, channel_id, muted_at)
    select key_id, channel_id, tracked_since from tracked_creators`);
  await db.execute(sql`
    insert into creator_notes (key_id, channel_id, note, saved_at)
    select key_id, channel_id, 'Note', ${at} from tracked_creators`);
  await db.execute(sql`
    insert into saved_views (key_id, name, folded_name, created_at, query)
    select id, 'View ' || n, 'view ' || n, ${at}, '' from api_keys, generate_series(1, 5) n`);
  await db.execute(sql`
    insert into failed_sign_ins (address, since, failures)
    select '10.0.' || n / 256 || '.' || n % 256, ${at} + interval '30 hours', 1 from generate_series(1, 10000) n`);
  await db.execute(sql`
    insert into channels (id, name, status, read_at, score_basis, score_version)
    select 'UC' || lpad(n::text, 22, 'x'), 'Gone', 'unavailable', ${at} - interval '90 days', 'profile', 1
    from generate_series(1, 3) n`);
  await db.execute(sql`update snapshot_batches set status = 'pending' where day = ${day}::date and batch = 1`);
  await db.execute(sql`vacuum analyze`);
}
