import { and, eq, sql } from "drizzle-orm";
import type { CoreContext } from "@/db/context";
import { creatorNotes, trackedCreators } from "@/db/schema";
import { toIsoText } from "@/db/statement";
import { createNotTrackedError } from "@/features/creators/rows.service";
import type { KeyId } from "@/features/keys/schema";
import type { Note } from "./notes.schema";

const isTrackedSql = (keyId: KeyId, channelId: string) =>
  and(eq(trackedCreators.keyId, keyId), eq(trackedCreators.channelId, channelId));
const isNoteSql = (keyId: KeyId, channelId: string) =>
  and(eq(creatorNotes.keyId, keyId), eq(creatorNotes.channelId, channelId));

/** The key's note on a creator. @throws AppError `not_found` when the key does not track it */
export async function getNote({ db }: CoreContext, keyId: KeyId, channelId: string): Promise<Note> {
  const [row] = await db
    .select({ note: creatorNotes.note, savedAt: toIsoText(creatorNotes.savedAt) })
    .from(trackedCreators)
    .leftJoin(creatorNotes, isNoteSql(keyId, channelId))
    .where(isTrackedSql(keyId, channelId));
  if (!row) throw createNotTrackedError();
  return { note: row.note ?? "", saved_at: row.savedAt };
}

/** Saves the key's note on a creator; an empty one deletes it. @throws AppError `not_found` when it is not tracked */
export async function saveNote({ db, clock }: CoreContext, keyId: KeyId, channelId: string, note: string) {
  if ((await db.$count(trackedCreators, isTrackedSql(keyId, channelId))) === 0) throw createNotTrackedError();
  if (note === "") {
    await db.delete(creatorNotes).where(isNoteSql(keyId, channelId));
    return { note, saved_at: null };
  }
  const savedAt = clock.now().toISOString();
  const { count } = await db.execute(sql`
    insert into ${creatorNotes} (key_id, channel_id, note, saved_at)
    select key_id, channel_id, ${note}, ${savedAt}::timestamptz from ${trackedCreators}
    where ${isTrackedSql(keyId, channelId)}
    on conflict (key_id, channel_id) do update set note = excluded.note, saved_at = excluded.saved_at`);
  if (count === 0) throw createNotTrackedError();
  return { note, saved_at: savedAt };
}
