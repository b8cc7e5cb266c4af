import postgres from "postgres";
import { connect } from "@/db/client";
import { createLog } from "../src/core/log/log";
import { DAY, instant, systemClock, utcDay } from "../src/core/time";
import { trackUnread } from "../src/features/creators/service";
import type { KeyId } from "../src/features/keys/schema";
import { recordDaily } from "../src/features/snapshots/batches.service";
import { databaseUrl } from "./product";

/** Makes today yesterday: first readings become so much smaller that the creators have grown since by percent. */
export async function liveThroughADay(
  dataDir: string,
  keyId: string,
  percents: Map<string, number>,
): Promise<void> {
  const sql = postgres(databaseUrl(dataDir), { max: 1 });
  for (const [id, percent] of percents)
    await sql`
      update snapshots
      set day = day - 1, read_at = read_at - interval '24 hours',
          subscribers = round(subscribers * 100.0 / (100 + ${percent}::int))
      where channel_id = ${id}`;
  await sql`update tracked_creators set tracked_since = tracked_since - interval '24 hours' where key_id = ${keyId}`;
  // The run that a start after 06:00 UTC makes, before any creator is tracked.
  await sql`update snapshot_runs set day = day - 1`;
  await sql.end();
}

/** Has a key track channels since this time yesterday, when each of them had so many subscribers. */
export async function trackSinceYesterday(
  dataDir: string,
  keyId: string,
  channelIds: readonly string[],
  subscribers: number,
): Promise<void> {
  const { db, close } = connect(databaseUrl(dataDir));
  const yesterday = instant(systemClock.now().getTime() - DAY);
  const ctx = { db, clock: { now: () => yesterday }, log: createLog({ level: "warn", to: "stderr" }) };
  const unknown = { handle: null, thumbnailUrl: null, country: null, views: 10_000, videos: 10 };
  const readings = channelIds.map((channelId) => ({ channelId, name: channelId, subscribers, ...unknown }));
  try {
    // As the operator's command names it.
    await trackUnread(ctx, keyId as KeyId, channelIds);
    await recordDaily(ctx, utcDay(yesterday), yesterday, readings);
  } finally {
    await close();
  }
}
