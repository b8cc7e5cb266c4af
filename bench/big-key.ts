import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { createLog } from "@/core/log/log";
import { systemClock, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { AlertListQuery } from "@/features/alerts/contracts.schema";
import { getInbox, listAlertCreators } from "@/features/alerts/inbox.service";
import { queryAlerts } from "@/features/alerts/list.service";
import { countUnreadAlerts } from "@/features/alerts/read.service";
import { TrackedQuery } from "@/features/creators/table.schema";
import { getTrackedTable } from "@/features/creators/table.service";
import type { KeyId } from "@/features/keys/schema";
import { channelId, fill, instantOf } from "./dataset";
import { goal, median, type Report, round } from "./report";
import { openScratchDatabase } from "./scratch";

const CREATORS = 10_000;
const ALERTS = 100_000;
const DAYS = 30;
/** The server's part of a page that paints within 0.6 seconds. */
const PAGE_MS = 100;
const FILE_MS = 2000;

/** Measures what a key with 10,000 creators and 100,000 alerts waits for, beside a key with 10 and 50. */
export async function benchBigKey({ rounds }: { rounds: number }): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  const log = createLog({ level: "silent" });
  const database = await openScratchDatabase(folder, log);
  try {
    const ctx = { db: database.db, clock: systemClock, log };
    await fillBig(ctx);
    const verbs = Object.entries(verbsOf(ctx));
    const rows: (string | number)[][] = [];
    const goals = [];
    for (const [name, { most, run }] of verbs) {
      const big = await timeOf(rounds, () => run("key_1" as KeyId, true));
      const small = await timeOf(rounds, () => run("key_2" as KeyId, false));
      rows.push([name, round(big), round(small)]);
      goals.push(goal(`${name}, at most ${most} ms`, big, { atMost: most }, " ms"));
    }
    const head = ["", "10,000 creators, 100,000 alerts: ms", "10 and 50: ms"];
    return { title: "A large key beside a small one", head, rows, goals };
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillBig({ db, clock }: CoreContext): Promise<void> {
  const size = {
    keys: 2,
    channels: CREATORS,
    days: DAYS,
    bigKeys: 1,
    alertsOfBig: ALERTS,
    alertsOfOther: 50,
  };
  await fill(db, size, 0);
  const day = toUtcDay(clock.now());
  await db.execute(sql`
    insert into tracked_creators (key_id, channel_id, tracked_since)
    select 'key_1', ${channelId(sql`n`)}, ${instantOf(day, -39)} from generate_series(1, ${CREATORS}::int) as n
    on conflict do nothing`);
  await db.execute(sql`
    insert into key_positions (key_id, position, purged) select key_id, count(*), 0 from alerts group by key_id`);
  await db.execute(sql`
    insert into changes (key_id, position, kind, at, channel_id, alert_id)
    select key_id, row_number() over (partition by key_id order by created_at, id), 'alert_created', created_at,
      channel_id, id from alerts`);
  await db.execute(sql`vacuum analyze tracked_creators, changes`);
}

function verbsOf(ctx: CoreContext) {
  const table = (offset: number) => (key: KeyId, isBig: boolean) =>
    getTrackedTable(ctx, key, TrackedQuery.parse({ limit: 50, offset: isBig ? offset : 0 }));
  const search = (key: KeyId) =>
    getTrackedTable(ctx, key, TrackedQuery.parse({ limit: 50, search: "channel 77" }));
  const inbox = (offset: number) => (key: KeyId, isBig: boolean) =>
    getInbox(ctx, key, { offset: isBig ? offset : 0, limit: 20 }, {});
  const api = (query: object) => (key: KeyId) => queryAlerts(ctx, key, AlertListQuery.parse(query));
  const page = (run: (key: KeyId, isBig: boolean) => Promise<unknown>) => ({ most: PAGE_MS, run });
  return {
    "overview, first page": page(table(0)),
    "overview, last page": page(table(CREATORS - 50)),
    "overview, search": page(search),
    "inbox, first page": page(inbox(0)),
    "inbox, last page": page(inbox(ALERTS - 20)),
    "unread alerts": page((key) => countUnreadAlerts(ctx, key)),
    "creators with alerts": page((key) => listAlertCreators(ctx, key)),
    "API alerts, first page": page(api({})),
    "API alerts after the first": page(api({ after: "" })),
    "API alerts as CSV": { most: FILE_MS, run: api({ format: "csv" }) },
  };
}

/** The median of milliseconds. */
async function timeOf(rounds: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const answer = await work();
    if (answer instanceof Response) await answer.text();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
