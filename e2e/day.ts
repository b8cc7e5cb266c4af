import postgres from "postgres";
import { connect } from "@/db/client";
import { createLog } from "../src/core/log/log";
import { DAY, systemClock, toDate, toUtcDay } from "../src/core/time";
import { trackUnread } from "../src/features/creators/service";
import type { KeyId } from "../src/features/keys/schema";
import { recordDaily } from "../src/features/snapshots/daily.service";
import { getDatabaseUrl } from "./product";

/** Moves all data back one day and lowers the counts so that the creators grew by `percents` since. */
export async function simulateDay(dataDir: string, keyId: string, percents: Map<string, number>): Promise<void> {
  const sql = postgres(getDatabaseUrl(dataDir), { max: 1 });
  for (const [id, percent] of percents)
    await sql`
      update snapshots
      set day = day - 1, read_at = read_at - interval '24 hours',
          subscribers = round(subscribers * 100.0 / (100 + ${percent}::int))
      where channel_id = ${id}`;
  await sql`update tracked_creators set tracked_since = tracked_since - interval '24 hours' where key_id = ${keyId}`;
  // A start after 06:00 UTC makes a run before any creator is tracked.
  await sql`update snapshot_runs set day = day - 1`;
  await sql.end();
}

/** Tracks channels since this time yesterday, each with the given subscribers. */
export async function trackSinceYesterday(
  dataDir: string,
  keyId: string,
  channelIds: readonly string[],
  subscribers: number,
): Promise<void> {
  const { db, close } = connect(getDatabaseUrl(dataDir));
  const yesterday = toDate(systemClock.now().getTime() - DAY);
  const ctx = { db, clock: { now: () => yesterday }, log: createLog({ level: "warn", to: "stderr" }) };
  const unknown = { handle: null, thumbnailUrl: null, country: null, views: 10_000, videos: 10 };
  const snapshots = channelIds.map((channelId) => ({ channelId, name: channelId, subscribers, ...unknown }));
  try {
    await trackUnread(ctx, keyId as KeyId, channelIds);
    await recordDaily(ctx, toUtcDay(yesterday), yesterday, snapshots);
  } finally {
    await close();
  }
}
