import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bundle } from "@/cli/bundle";
import { createLog } from "@/core/log/log";
import { addDays, systemClock, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import { channelId, fillChannels, fillSnapshots, inOneGo, instantOf } from "./dataset";
import { stepMs } from "./engine";
import { goal, type Report, round } from "./report";
import { openScratchDatabase } from "./scratch";
import { endWithUs, YOUNG_HEAP } from "./servers";

const HISTORY_DAYS = 28;
const TRACKINGS_PER_CHANNEL = 2;
export const CHANNELS = [1000, 10_000, 100_000];
const KEYS = 200;
const STEP_SIZES = [50, 1];
/** The run as production runs it: compiled, inside the project, where packages are found. */
const BUILT = "dist/bench/daily-run.js";

const Run = z.object({
  seconds: z.number(),
  cpuSeconds: z.number(),
  peakMb: z.number(),
  idleMb: z.number(),
  calls: z.int(),
  planned: z.int(),
  read: z.int(),
  failed: z.int(),
  alerts: z.int(),
});
type Run = z.output<typeof Run>;

/** Measures the daily run over more and more channels, each with two trackings and 28 days of history. */
export async function benchDaily(sizes: readonly number[]): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  try {
    await bundle(["bench/daily-run.ts"], "dist/bench", "bench");
    const runs = new Map<string, Run>();
    for (const channels of sizes)
      for (const perStep of STEP_SIZES)
        runs.set(`${channels} ${perStep}`, await measure(folder, channels, perStep));
    return report(runs, sizes, await stepMs());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, channels: number, perStep: number): Promise<Run> {
  const database = await openScratchDatabase(folder, createLog({ level: "silent" }));
  try {
    const day = toUtcDay(systemClock.now());
    await fillTracked(database.db, channels, day);
    return await runDay(database.url, `${day}T06:00:00.000Z`, perStep, folder);
  } finally {
    await database.close();
  }
}

/** Each channel is tracked by two of the keys, since before its first reading. */
export async function fillTracked(db: Database, channels: number, day: string): Promise<void> {
  const yesterday = addDays(day, -1);
  await inOneGo(db, async (tx) => {
    await tx.execute(sql`
      insert into api_keys (id, secret_hash, hint, label, tier, created_at)
      select 'key_' || n, encode(sha256(n::text::bytea), 'hex'), 'cg_…', 'Bench ' || n, 'pro', ${instantOf(day, -40)}
      from generate_series(1, ${KEYS}::int) as n`);
    await fillChannels(tx, channels, yesterday);
    await fillSnapshots(tx, channels, HISTORY_DAYS, yesterday);
    await tx.execute(sql`
      insert into tracked_creators (key_id, channel_id, tracked_since)
      select 'key_' || 1 + (n * 31 + copy * 97) % ${KEYS}::int, ${channelId(sql`n`)}, ${instantOf(day, -39)}
      from generate_series(1, ${channels}::int) as n, generate_series(1, ${TRACKINGS_PER_CHANNEL}::int) as copy`);
  });
  // The runs before graded these days; each run grades one.
  await db.execute(sql`
    insert into score_grades (day, graded_at, score_version, channels, figures)
    select ${yesterday}::date - n, now(), 1, 100, '{}' from generate_series(7, 13) as n`);
  for (const name of ["channels", "snapshots", "tracked_creators"])
    await db.execute(sql.raw(`vacuum analyze ${name}`));
}

async function runDay(url: string, start: string, perStep: number, folder: string): Promise<Run> {
  const child = spawn(process.execPath, [YOUNG_HEAP, BUILT, url, start], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      CREATORS_PER_STEP: String(perStep),
      DATA_DIR: path.join(folder, "run"),
    },
  });
  endWithUs(child);
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  await once(child, "close");
  return Run.parse(JSON.parse(printed));
}

function report(runs: Map<string, Run>, sizes: readonly number[], ofStep: number): Report {
  const [smallest = 0, largest = 0] = [sizes[0], sizes.at(-1)];
  const perChannel = (channels: number, perStep: number) =>
    (1e6 * (runs.get(`${channels} ${perStep}`)?.seconds ?? Number.NaN)) / channels;
  const rows = [...runs].map(([name, run]) => {
    const [channels, perStep] = name.split(" ").map(Number);
    return [
      round(channels ?? 0),
      perStep ?? 0,
      round(run.seconds),
      round((1e6 * run.seconds) / (channels ?? 1)),
      round((1e6 * run.cpuSeconds) / (channels ?? 1)),
      round(run.idleMb),
      round(run.peakMb),
      run.calls,
      run.alerts,
      run.failed,
    ];
  });
  const [big, single] = STEP_SIZES.map((perStep) => runs.get(`${largest} ${perStep}`));
  const expected = Math.ceil(largest / 50);
  return {
    title: "Daily run: two trackings and 28 days of history a channel, 1 % above 10 %",
    head: [
      "channels",
      "a step",
      "seconds",
      "µs a channel",
      "CPU µs a channel",
      "idle MB",
      "peak MB",
      "upstream calls",
      "alerts",
      "failed",
    ],
    rows,
    goals: big
      ? [
          goal(`seconds for ${round(largest)} channels, 50 a step`, big.seconds, { atMost: largest / 4000 }),
          goal(`seconds for ${round(largest)} channels, 1 a step`, single?.seconds ?? Number.NaN, {
            atMost: largest / 833,
          }),
          ...[big, single].map((run, index) =>
            goal(
              `peak memory, ${STEP_SIZES[index]} a step`,
              run?.peakMb ?? Number.NaN,
              { atMost: 250 },
              " MB",
            ),
          ),
          goal("CPU of the engine for a step that does nothing", ofStep, { atMost: 0.3 }, " ms"),
          goal(`upstream calls, at most ${round(expected)}`, big.calls, { atMost: expected }),
          goal(
            `time a channel at ${round(largest)}, of that at ${round(smallest)}`,
            100 * (perChannel(largest, 50) / perChannel(smallest, 50)),
            { atMost: 120 },
            " %",
          ),
        ]
      : [],
  };
}
