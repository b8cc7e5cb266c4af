import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { createLog } from "@/core/log/log";
import { addDays, ManualClock, systemClock, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import { purgeExpired } from "@/features/snapshots/retention.service";
import { fillChannels, fillSnapshots, inOneGo } from "./dataset";
import { goal, type Report, round } from "./report";
import { openScratchDatabase } from "./scratch";

const CHANNELS = 100_000;
const RETENTION_DAYS = 30;
/** Days lived through: on each the oldest readings go and new ones come. */
const LIVED_DAYS = 3;

/** Measures what the daily purge costs with three million snapshots stored, and whether the table stays its size. */
export async function benchStorage(): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  const log = createLog({ level: "silent" });
  const database = await openScratchDatabase(folder, log);
  try {
    const { db } = database;
    const today = toUtcDay(systemClock.now());
    await inOneGo(db, async (tx) => {
      await fillChannels(tx, CHANNELS, today);
      await fillSnapshots(tx, CHANNELS, RETENTION_DAYS, today);
    });
    await db.execute(sql`vacuum analyze`);
    const before = await sizeOf(db);
    const rows: (string | number)[][] = [["at first", "–", "–", ...describe(before)]];
    const took: number[] = [];
    for (let lived = 1; lived <= LIVED_DAYS; lived++) {
      const day = addDays(today, lived);
      const clock = new ManualClock(`${day}T05:00:00Z`);
      const purging = await timed(() =>
        purgeExpired({ db, clock, log: log }, { snapshotDays: RETENTION_DAYS, alertDays: null }),
      );
      // What autovacuum does in its own time.
      const vacuuming = await timed(() => db.execute(sql`vacuum analyze snapshots`));
      await inOneGo(db, (tx) => fillSnapshots(tx, CHANNELS, 1, day));
      took.push(purging);
      rows.push([`day ${lived}`, round(purging), round(vacuuming), ...describe(await sizeOf(db))]);
    }
    const after = await sizeOf(db);
    return {
      title: `Storage: ${round(CHANNELS * RETENTION_DAYS)} snapshots, ${round(CHANNELS)} of which go and come a day`,
      head: ["", "purge s", "vacuum s", "snapshots", "table MB", "indexes MB", "bytes a snapshot"],
      rows,
      goals: [
        goal("seconds of a purge", Math.max(...took), { atMost: 30 }),
        goal(
          "size after three days, of that at first",
          (100 * total(after)) / total(before),
          { atMost: 110 },
          " %",
        ),
      ],
    };
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Size {
  snapshots: number;
  table: number;
  indexes: number;
}

async function sizeOf(db: Database): Promise<Size> {
  const [row] = await db.execute<Record<keyof Size, string>>(sql`
    select (select count(*) from snapshots) as snapshots, pg_table_size('snapshots') as "table",
      pg_indexes_size('snapshots') as indexes`);
  return { snapshots: Number(row?.snapshots), table: Number(row?.table), indexes: Number(row?.indexes) };
}

const total = ({ table, indexes }: Size) => table + indexes;

function describe(size: Size): string[] {
  return [
    round(size.snapshots),
    round(size.table / 1e6),
    round(size.indexes / 1e6),
    round(total(size) / size.snapshots),
  ];
}

async function timed(work: () => PromiseLike<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}
