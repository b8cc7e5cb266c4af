import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Database } from "@/core/db/client";
import * as schema from "@/core/db/schema";
import { createPostgresQuota } from "@/core/quota";
import { addDays, utcDay } from "@/core/time";
import { createAlerts, listAlerts, untoldAlerts } from "@/features/alerts/service";
import { creatorHistory, listTracked, trackCreator, untrackCreator } from "@/features/creators/service";
import { deliver, takeStranded } from "@/features/deliveries/service";
import { recordReadings } from "@/features/growth/service";
import { hashKey } from "@/features/keys/rules";
import type { KeyId } from "@/features/keys/schema";
import { closeRun, finishBatch, purge, readBatch } from "@/features/snapshots/service";
import { usageOf } from "@/features/usage/service";
import type { PlatformContext } from "@/platform/port";
import { createFakePlatform } from "@/test/platform";
import { createKey, type TestKey, type TestService, useService } from "@/test/service";

const CHANNELS = 10_000;
const DAYS = 10;
const KEYS = 2000;
const ALERTS_PER_KEY = 20;
/** A few rows, or at most a handful a key: as long as they are few, the planner rightly reads and hashes them all. */
const SMALL = ["snapshot_runs", "niches", "alert_emails", "suppressions"];

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Conflict Arbiter Indexes"?: string[];
  Plans?: PlanNode[];
}
const Explained = z.object({ Plan: z.custom<PlanNode>((plan) => typeof plan === "object") });

describe("on a database with much in it", () => {
  const service = useService();
  const seen: PlanNode[] = [];
  let client: postgres.Sql;
  let ctx: TestService & PlatformContext;
  let key: TestKey;
  let day: string;

  beforeAll(async () => {
    key = await createKey(service, "pro");
    day = utcDay(service.clock.now());
    await fill(service.db, key.id, day);
    client = postgres(service.databaseUrl, { max: 1, onnotice: ({ message = "" }) => note(message) });
    await client.unsafe(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
      set auto_explain.log_format = 'json'; set client_min_messages = log; set random_page_cost = 1.1`);
    const db: Database = drizzle(client, { schema, casing: "snake_case" });
    const platform = createFakePlatform(service.clock);
    for (const number of [1, 2]) platform.show(id(number), day, 2000);
    ctx = { ...service, db, platform, quota: createPostgresQuota(db, service.clock) };
  });
  afterAll(() => client.end());

  const note = (message: string) => {
    if (message.includes("plan:"))
      seen.push(...nodes(Explained.parse(JSON.parse(message.slice(message.indexOf("{")))).Plan));
  };

  /** The indexes that the verb's statements went by, and the tables that they read from end to end. */
  async function plansOf(verb: () => unknown) {
    seen.length = 0;
    await verb();
    const indexes = seen.flatMap((node) =>
      [node["Index Name"] ?? [], node["Conflict Arbiter Indexes"] ?? []].flat(),
    );
    const scanned = seen.flatMap((node) =>
      node["Node Type"] === "Seq Scan" ? (node["Relation Name"] ?? []) : [],
    );
    return { indexes: new Set(indexes), scanned: scanned.filter((name) => !SMALL.includes(name)) };
  }

  const reading = async (number: number) => ctx.platform.channels([id(number)]);
  const used = new Set<string>();

  it.each<[string, string[], () => unknown]>([
    [
      "letting a request in",
      ["api_keys_secret_hash_unique", "daily_usage_key_id_day_pk"],
      () => ctx.quota.admit?.(hashKey(key.secret)),
    ],
    ["a refused request", ["api_keys_pkey", "daily_usage_key_id_day_pk"], () => ctx.quota.take(key.id, 1)],
    ["usage", [], () => usageOf(ctx, key, 1)],
    [
      "a page of alerts",
      ["alerts_page", "alerts_pkey"],
      () => listAlerts(ctx, key.id, { offset: 20, limit: 20 }),
    ],
    [
      "a page of creators",
      ["tracked_creators_page", "channels_pkey"],
      () => listTracked(ctx, key.id, { offset: 0, limit: 20 }),
    ],
    ["a creator's history", ["snapshots_channel_id_day_pk"], () => creatorHistory(ctx, key.id, id(1))],
    [
      "tracking",
      ["snapshots_channel_id_day_pk", "channels_pkey"],
      async () => {
        await trackCreator(ctx, key.id, { kind: "id", id: id(2) });
        await untrackCreator(ctx, key.id, id(2));
      },
    ],
    ["reading a batch", ["snapshot_batches_day_batch_pk"], () => readBatch(ctx, day, 1)],
    [
      "storing readings",
      ["channels_pkey", "snapshots_channel_id_day_pk"],
      async () => recordReadings(ctx, day, "daily", await reading(1)),
    ],
    [
      "making alerts",
      ["tracked_creators_channel", "alerts_once_per_key_channel_day"],
      async () => {
        const [grown] = await reading(1);
        if (!grown) throw new Error("there is no reading");
        const of = (on: string, subscribers: number) => ({
          day: on,
          readAt: service.clock.now(),
          subscribers,
        });
        const recorded = { reading: grown, current: of(day, 2000), baseline: of(addDays(day, -1), 1000) };
        await createAlerts(ctx, day, [recorded]);
      },
    ],
    ["finding untold alerts", ["alerts_channel"], () => untoldAlerts(ctx.db, day, [id(1)])],
    [
      "ending a batch",
      ["alerts_channel", "snapshots_channel_id_day_pk"],
      () => finishBatch(ctx, day, 1, [id(1)]),
    ],
    ["ending a run", ["snapshot_batches_pending"], () => closeRun(ctx, day)],
    [
      "a delivery",
      ["api_keys_pkey", "channels_pkey"],
      async () => {
        const [untold] = await untoldAlerts(ctx.db, day, [id(1)]);
        await deliver(ctx, untold ?? "", "monitoring");
      },
    ],
    ["the sweep", ["deliveries_open"], () => takeStranded(ctx, 0)],
  ])("%s goes by indexes alone", async (_, expected, verb) => {
    const { indexes, scanned } = await plansOf(verb);
    expect(scanned).toEqual([]);
    expect([...indexes]).toEqual(expect.arrayContaining(expected));
    for (const index of indexes) used.add(index);
  });

  it("the purge finds the mails to empty by an index", async () => {
    const { indexes } = await plansOf(() => purge(ctx, { snapshotDays: 30, alertDays: null }));
    expect(indexes).toContain("deliveries_mailed");
    used.add("deliveries_mailed");
  });

  it("no index is there for nothing", async () => {
    const kept = await service.db.execute<{ name: string }>(sql`
      select indexrelid::regclass::text as name from pg_index
      join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and not indisunique`);
    expect(kept.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  });
});

function nodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

function id(number: number): string {
  return `UC${String(number).padStart(22, "0")}`;
}

/** Channels with four weeks of readings, keys that track ten each and have alerts, told long ago, and a day's batches. */
async function fill(db: Database, ownKey: KeyId, day: string): Promise<void> {
  const channel = sql.raw("'UC' || lpad((1 + n % 10000)::text, 22, '0')");
  const at = sql`${`${addDays(day, -1)}T06:00:00Z`}::timestamptz`;
  await db.execute(sql`
    insert into api_keys (id, secret_hash, hint, label, tier, created_at)
    select 'key_' || n, encode(sha256(n::text::bytea), 'hex'), '', 'Filled', 'pro', ${at} from generate_series(1, ${KEYS}::int) n`);
  await db.execute(sql`
    insert into channels (id, name, status, subscribers, read_at, score, score_basis, score_version)
    select ${channel}, 'Channel', 'active', 1000, ${at}, 0, 'history', 1 from generate_series(0, ${CHANNELS}::int - 1) n`);
  await db.execute(sql`
    insert into snapshots (channel_id, day, read_at, source, subscribers, score, score_version, score_parts)
    select ${channel}, ${day}::date - back, ${at} - make_interval(days => back), 'daily', 1000, 0, 1, '{}'
    from generate_series(0, ${CHANNELS}::int - 1) n, generate_series(1, ${DAYS}::int) back`);
  const keys = sql`(select 'key_' || n as key_id, n as number from generate_series(1, ${KEYS}::int) n union all select ${ownKey}, 0)`;
  await db.execute(sql`
    insert into tracked_creators (key_id, channel_id, tracked_since)
    select key_id, ${channel}, ${at} - interval '28 days' from ${keys} keys, lateral (select number * 10 + s as n from generate_series(0, 9) s) t`);
  await db.execute(sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at)
    select key_id, ${channel}, ${day}::date - n % 28 - 1, 1000, 1500, 'EXPLOSIVE', '', ${at} - make_interval(days => n % 28)
    from ${keys} keys, lateral (select number * 10 + s as n from generate_series(1, ${ALERTS_PER_KEY}::int) s) t`);
  await db.execute(sql`
    insert into deliveries (alert_id, destination, status, created_at, finished_at, attempts)
    select id, 'monitoring', 'sent', created_at, created_at, 1 from alerts`);
  await db.execute(sql`
    insert into daily_usage (key_id, day, requests, last_request_at)
    select id, ${day}::date - back, 1, ${at} from api_keys, generate_series(1, 10) back`);
  await db.execute(
    sql`insert into alert_emails (key_id, email, set_at) select id, id || '@example.com', ${at} from api_keys`,
  );
  await db.execute(sql`
    insert into suppressions (key_id, email, reason, since) select id, 'old@example.com', 'unsubscribed', ${at} from api_keys`);
  await db.execute(sql`insert into snapshot_runs (day, started_at, plans) values (${day}::date, ${at}, 1)`);
  await db.execute(sql`
    insert into snapshot_batches (day, batch, channel_ids, status, touched_at)
    select ${day}::date, b, array(select ${channel} from generate_series(b * 50, b * 50 + 49) n), 'done', ${at}
    from generate_series(0, ${CHANNELS}::int / 50 - 1) b`);
  await db.execute(sql`update snapshot_batches set status = 'pending' where batch = 1`);
  await db.execute(sql`vacuum analyze`);
}
