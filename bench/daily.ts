import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bundle } from "@/cli/bundle";
import { createLog } from "@/core/log/log";
import { addDays, type Day, systemClock, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import { inTransaction } from "@/db/context";
import { TrackedQuery } from "@/features/creators/query.schema";
import { getTrackedTable } from "@/features/creators/table.service";
import { issueKey } from "@/features/keys/service";
import { purgeSnapshots } from "@/features/snapshots/retention.service";
import { CHANNELS_PER_CALL } from "@/platform/port";
import { channelIdSql, daySql, insertChannels, insertKeys, insertSnapshots, insertUnchecked } from "./dataset";
import { checkGoal, type Goal, median, type Report, round } from "./report";
import { openScratchDatabase, type ScratchDatabase, withFolder } from "./scratch";
import { HEAP_FLAGS, killOnExit } from "./servers";

const HISTORY_DAYS = 28;
const KEYS = 200;
const KEYS_PER_CHANNEL = 2;
/** Time grows with the channels, so a goal for the time is one for the channels a second. */
const MIN_PER_SECOND: Record<number, number> = { 50: 4000, 1: 833 };
const MAX_PEAK_MB = 300;
const MAX_PURGE_SECONDS = 60;
const OVERVIEW_CREATORS = 10_000;
const OVERVIEWS = 9;
const MAX_OVERVIEW_MS = 100;
/** Ten times the channels may take at most 10.5 times as long. */
const MAX_TIME_A_CHANNEL_PERCENT = 105;

const Run = z.object({
  seconds: z.number(),
  cpuSeconds: z.number(),
  peakMb: z.number(),
  idleMb: z.number(),
  calls: z.int(),
  alerts: z.int(),
  failed: z.int(),
});
interface Measured extends z.output<typeof Run> {
  channels: number;
  perStep: number;
  bytesPerSnapshot: number;
  /** Deletes the snapshots of the oldest day. */
  purgeSeconds: number;
  /** Reads the overview of a key that tracks OVERVIEW_CREATORS, the median of several. */
  overviewMs: number;
}

/** Measures the daily run, compiled as in production. */
export function benchDaily(sizes: readonly number[], stepSizes: readonly number[]): Promise<Report> {
  return withFolder(async (folder) => {
    await bundle(["bench/daily-run.ts"], "dist/bench", "bench");
    const runs: Measured[] = [];
    for (const channels of sizes)
      for (const perStep of stepSizes) runs.push(await measureRun(folder, channels, perStep));
    return {
      title: `Daily run: ${KEYS_PER_CHANNEL} keys and ${HISTORY_DAYS} days of history a channel, 1 % above 10 %`,
      head: Object.keys(COLUMNS),
      rows: runs.map((run) => Object.values(COLUMNS).map((getCell) => getCell(run))),
      goals: checkGoals(runs, stepSizes.length),
    };
  });
}

async function measureRun(folder: string, channels: number, perStep: number): Promise<Measured> {
  const database = await openScratchDatabase(folder);
  try {
    const day = toUtcDay(systemClock.now());
    await fillTracked(database.db, channels, day);
    await database.vacuum();
    const [size] = await database.db.execute<{ bytes: number }>(
      sql`select (pg_total_relation_size('snapshots') / count(*))::int as bytes from snapshots`,
    );
    const words = [...HEAP_FLAGS, "dist/bench/daily-run.js", database.url, `${day}T06:00:00.000Z`];
    const settings = { CREATORS_PER_STEP: String(perStep), DATA_DIR: path.join(folder, "run") };
    const env = { ...process.env, NODE_ENV: "production" as const, ...settings };
    const running = promisify(execFile)(process.execPath, words, { env });
    killOnExit(running.child);
    const { stdout } = await running;
    const run = { ...Run.parse(JSON.parse(stdout)), channels, perStep, bytesPerSnapshot: size?.bytes ?? Number.NaN };
    return { ...run, ...(await measureReads(database, channels, day)) };
  } finally {
    await database.close();
  }
}

/** Measures what follows a run: the overview of a large key, and the purge of the oldest day. */
async function measureReads({ db, vacuum }: ScratchDatabase, channels: number, day: Day) {
  const ctx = { db, clock: systemClock, log: createLog({ level: "error", to: "stderr" }) };
  const { record } = await issueKey(ctx, { tier: "pro", label: "Large" });
  await db.execute(sql`
    insert into tracked_creators (key_id, channel_id, tracked_since)
    select ${record.id}, ${channelIdSql(sql`n`)}, ${daySql(day, -39)}
    from generate_series(1, ${Math.min(channels, OVERVIEW_CREATORS)}::int) as n`);
  await vacuum();
  const query = TrackedQuery.parse({});
  const views: number[] = [];
  for (let view = 0; view < OVERVIEWS; view++)
    views.push(await measureMs(() => getTrackedTable(ctx, record.id, query)));
  const purge = () =>
    inTransaction(ctx, async (tx) => {
      await tx.db.execute(sql`set local statement_timeout = 0`);
      await purgeSnapshots(tx, addDays(day, 1 - HISTORY_DAYS));
    });
  return { overviewMs: median(views), purgeSeconds: (await measureMs(purge)) / 1000 };
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Fills an empty database with channels that keys have tracked since before the first snapshot. */
async function fillTracked(db: Database, channels: number, day: string): Promise<void> {
  const yesterday = addDays(day, -1);
  await insertUnchecked(db, async (tx) => {
    await insertKeys(tx, KEYS, day);
    await insertChannels(tx, channels, yesterday);
    await insertSnapshots(tx, channels, HISTORY_DAYS, yesterday);
    await tx.execute(sql`
      insert into tracked_creators (key_id, channel_id, tracked_since)
      select 'key_' || 1 + (n * 31 + copy * 97) % ${KEYS}::int, ${channelIdSql(sql`n`)}, ${daySql(day, -39)}
      from generate_series(1, ${channels}::int) as n, generate_series(1, ${KEYS_PER_CHANNEL}::int) as copy`);
  });
  // Earlier runs graded these days, so this one grades a single day, as every run does.
  await db.execute(sql`
    insert into score_grades (day, graded_at, score_version, channels, figures)
    select ${yesterday}::date - n, now(), 1, 100, '{}' from generate_series(7, 13) as n`);
}

/** The columns of the report. */
const COLUMNS: Record<string, (run: Measured) => string | number> = {
  channels: ({ channels }) => round(channels),
  "per step": ({ perStep }) => perStep,
  seconds: ({ seconds }) => round(seconds),
  "µs a channel": (run) => round(computeMicros(run)),
  "CPU µs a channel": ({ cpuSeconds, channels }) => round((1e6 * cpuSeconds) / channels),
  "idle MB": ({ idleMb }) => round(idleMb),
  "peak MB": ({ peakMb }) => round(peakMb),
  "upstream calls": ({ calls }) => calls,
  alerts: ({ alerts }) => alerts,
  failed: ({ failed }) => failed,
  "bytes a snapshot": ({ bytesPerSnapshot }) => bytesPerSnapshot,
  "purge, seconds": ({ purgeSeconds }) => round(purgeSeconds),
  "overview, ms": ({ overviewMs }) => round(overviewMs),
};

function checkGoals(runs: readonly Measured[], stepSizes: number): Goal[] {
  const largest = runs.slice(-stepSizes);
  const ofSize = largest.flatMap(({ channels, perStep, seconds, peakMb, calls, purgeSeconds, overviewMs }) => {
    const name = `${round(channels)} channels, ${perStep} per step`;
    const maxSeconds = channels / (MIN_PER_SECOND[perStep] ?? Number.NaN);
    return [
      checkGoal(`${name}: seconds`, seconds, { atMost: maxSeconds }),
      checkGoal(`${name}: peak memory`, peakMb, { atMost: MAX_PEAK_MB }, " MB"),
      checkGoal(`${name}: purge of a day`, purgeSeconds, { atMost: MAX_PURGE_SECONDS }, " s"),
      checkGoal(`${name}: overview of a large key`, overviewMs, { atMost: MAX_OVERVIEW_MS }, " ms"),
      checkGoal(`${name}: upstream calls`, calls, { atMost: Math.ceil(channels / CHANNELS_PER_CALL) }),
    ];
  });
  const [first, last] = [runs[0], largest[0]];
  if (!first || !last || first === last) return ofSize;
  const percent = (100 * computeMicros(last)) / computeMicros(first);
  const growth = `time a channel at ${round(last.channels)}, of that at ${round(first.channels)}`;
  return [...ofSize, checkGoal(growth, percent, { atMost: MAX_TIME_A_CHANNEL_PERCENT }, " %")];
}

/** Microseconds that a run takes for a channel. */
function computeMicros({ seconds, channels }: Measured): number {
  return (1e6 * seconds) / channels;
}
