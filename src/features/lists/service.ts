import { and, asc, count, eq, inArray, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { foldName } from "@/core/fields";
import type { CoreContext } from "@/db/context";
import { creatorLists, listCreators, trackedCreators } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import { runExclusively } from "@/features/keys/service";
import { createLimitError, createNameTakenError } from "./names.service";
import { LISTS_PER_KEY } from "./rules";
import type { CreatorList } from "./schema";

const isListSql = (keyId: KeyId, id: string) => and(eq(creatorLists.keyId, keyId), eq(creatorLists.id, id));

/** The key's lists, oldest first, with the number of their creators that it tracks, and of all that it tracks. */
export async function listCreatorLists({ db }: CoreContext, keyId: KeyId) {
  const isTracked = and(
    eq(trackedCreators.keyId, listCreators.keyId),
    eq(trackedCreators.channelId, listCreators.channelId),
  );
  const lists = await db
    .select({ id: creatorLists.id, name: creatorLists.name, creators: count(trackedCreators.channelId) })
    .from(creatorLists)
    .leftJoin(listCreators, and(eq(listCreators.keyId, creatorLists.keyId), eq(listCreators.listId, creatorLists.id)))
    .leftJoin(trackedCreators, isTracked)
    .where(eq(creatorLists.keyId, keyId))
    .groupBy(creatorLists.keyId, creatorLists.id)
    .orderBy(asc(creatorLists.createdAt), asc(creatorLists.id));
  return { lists, tracked: await db.$count(trackedCreators, eq(trackedCreators.keyId, keyId)) };
}

/** Makes an empty list. @throws AppError `invalid_request` when the name is taken or the key has 50 lists */
export function createList(ctx: CoreContext, keyId: KeyId, name: string): Promise<CreatorList> {
  return runExclusively(ctx, keyId, async ({ db, clock }) => {
    const held = await db.$count(creatorLists, eq(creatorLists.keyId, keyId));
    if (held >= LISTS_PER_KEY) throw createLimitError("lists", LISTS_PER_KEY);
    const [made] = await db
      .insert(creatorLists)
      .values({ keyId, name, foldedName: foldName(name), createdAt: clock.now() })
      .onConflictDoNothing({ target: [creatorLists.keyId, creatorLists.foldedName] })
      .returning({ id: creatorLists.id });
    if (!made) throw createNameTakenError("list");
    return { ...made, name, creators: 0 };
  });
}

/** Renames a list. @throws AppError `not_found`, or `invalid_request` when another list has the name */
export function renameList(ctx: CoreContext, keyId: KeyId, id: string, name: string): Promise<void> {
  const foldedName = foldName(name);
  return runExclusively(ctx, keyId, async ({ db }) => {
    const [holder] = await db
      .select({ id: creatorLists.id })
      .from(creatorLists)
      .where(and(eq(creatorLists.keyId, keyId), eq(creatorLists.foldedName, foldedName)));
    if (holder && holder.id !== id) throw createNameTakenError("list");
    const renamed = await db
      .update(creatorLists)
      .set({ name, foldedName })
      .where(isListSql(keyId, id))
      .returning({ id: creatorLists.id });
    if (renamed.length === 0) throw createListNotFoundError();
  });
}

/** Deletes a list; its creators stay tracked. @throws AppError `not_found` */
export async function deleteList({ db }: CoreContext, keyId: KeyId, id: string): Promise<void> {
  const deleted = await db.delete(creatorLists).where(isListSql(keyId, id)).returning({ id: creatorLists.id });
  if (deleted.length === 0) throw createListNotFoundError();
}

/**
 * Puts creators that the key tracks into a list. Others are left out; repeating it changes nothing.
 * @returns how many were added
 * @throws AppError `not_found`
 */
export async function addToList(ctx: CoreContext, keyId: KeyId, id: string, channelIds: string[]): Promise<number> {
  await requireList(ctx, keyId, id);
  const wanted = and(eq(trackedCreators.keyId, keyId), inArray(trackedCreators.channelId, channelIds));
  // One order for all writers prevents deadlocks.
  const { count: added } = await ctx.db.execute(sql`
    insert into ${listCreators} (key_id, list_id, channel_id)
    select ${trackedCreators.keyId}, ${id}::uuid, ${trackedCreators.channelId} from ${trackedCreators}
    where ${wanted} order by ${trackedCreators.channelId}
    on conflict do nothing`);
  return added;
}

/** Takes creators out of a list; they stay tracked. @returns how many were removed @throws AppError `not_found` */
export async function removeFromList(ctx: CoreContext, keyId: KeyId, id: string, channelIds: string[]) {
  await requireList(ctx, keyId, id);
  const isInList = and(eq(listCreators.keyId, keyId), eq(listCreators.listId, id));
  const removed = ctx.db.delete(listCreators).where(and(isInList, inArray(listCreators.channelId, channelIds)));
  return (await removed).count;
}

/** @throws AppError `not_found` */
async function requireList({ db }: CoreContext, keyId: KeyId, id: string): Promise<void> {
  if ((await db.$count(creatorLists, isListSql(keyId, id))) === 0) throw createListNotFoundError();
}

/** The ids of the key's lists that hold a creator; none while the key does not track it. */
export async function findListsWithCreator({ db }: CoreContext, keyId: KeyId, channelId: string): Promise<string[]> {
  const rows = await db
    .select({ id: listCreators.listId })
    .from(listCreators)
    .innerJoin(
      trackedCreators,
      and(eq(trackedCreators.keyId, listCreators.keyId), eq(trackedCreators.channelId, listCreators.channelId)),
    )
    .where(and(eq(listCreators.keyId, keyId), eq(listCreators.channelId, channelId)));
  return rows.map(({ id }) => id);
}

function createListNotFoundError(): AppError {
  return new AppError("not_found", "This key has no list with that id");
}
