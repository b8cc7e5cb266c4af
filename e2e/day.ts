import postgres from "postgres";
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
  // The run that a start after 06:00 UTC makes, when nobody was tracked yet.
  await sql`update snapshot_runs set day = day - 1`;
  await sql.end();
}
