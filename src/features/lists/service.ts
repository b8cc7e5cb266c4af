import { and, asc, count, eq, inArray, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { foldName } from "@/core/fields";
import { type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { creatorLists, creatorNotes, listCreators, savedViews, trackedCreators } from "@/db/schema";
import { toIsoText } from "@/db/statement";
import { createNotTrackedError, isTrackedSql } from "@/features/creators/rows.service";
import type { KeyId } from "@/features/keys/schema";
import { runExclusively } from "@/features/keys/service";
import { LISTS_PER_KEY, VIEWS_PER_KEY } from "./rules";

const isListSql = (keyId: KeyId, id: string) => and(eq(creatorLists.keyId, keyId), eq(creatorLists.id, id));

/** Whether the key of a list's entry tracks its creator. */
const isEntryTrackedSql = and(
  eq(trackedCreators.keyId, listCreators.keyId),
  eq(trackedCreators.channelId, listCreators.channelId),
);

export type CreatorList = Awaited<ReturnType<typeof listCreatorLists>>["lists"][number];

/** The key's lists, oldest first, with the number of their creators that it tracks, and of all that it tracks. */
export async function listCreatorLists({ db }: CoreContext, keyId: KeyId) {
  const lists = await db
    .select({ id: creatorLists.id, name: creatorLists.name, creators: count(trackedCreators.channelId) })
    .from(creatorLists)
    .leftJoin(listCreators, and(eq(listCreators.keyId, creatorLists.keyId), eq(listCreators.listId, creatorLists.id)))
    .leftJoin(trackedCreators, isEntryTrackedSql)
    .where(eq(creatorLists.keyId, keyId))
    .groupBy(creatorLists.keyId, creatorLists.id)
    .orderBy(asc(creatorLists.createdAt), asc(creatorLists.id));
  return { lists, tracked: await db.$count(trackedCreators, eq(trackedCreators.keyId, keyId)) };
}

/** Makes an empty list. @throws AppError `invalid_request` when the name is taken or the key has 50 lists */
export function createList(ctx: CoreContext, keyId: KeyId, name: string) {
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
    const { count } = await db.update(creatorLists).set({ name, foldedName }).where(isListSql(keyId, id));
    if (count === 0) throw createListNotFoundError();
  });
}

/** Deletes a list; its creators stay tracked. @throws AppError `not_found` */
export async function deleteList({ db }: CoreContext, keyId: KeyId, id: string): Promise<void> {
  const { count } = await db.delete(creatorLists).where(isListSql(keyId, id));
  if (count === 0) throw createListNotFoundError();
}

/**
 * Puts creators that the key tracks into a list. Others are left out; repeating it changes nothing.
 * @returns how many were added
 * @throws AppError `not_found`
 */
export async function addToList(ctx: CoreContext, keyId: KeyId, id: string, channelIds: string[]): Promise<number> {
  await requireList(ctx, keyId, id);
  // One order for all writers prevents deadlocks.
  const { count: added } = await ctx.db.execute(sql`
    insert into ${listCreators} (key_id, list_id, channel_id)
    select ${trackedCreators.keyId}, ${id}::uuid, ${trackedCreators.channelId} from ${trackedCreators}
    where ${isTrackedSql(keyId, channelIds)} order by ${trackedCreators.channelId}
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
    .innerJoin(trackedCreators, isEntryTrackedSql)
    .where(and(eq(listCreators.keyId, keyId), eq(listCreators.channelId, channelId)));
  return rows.map(({ id }) => id);
}

function createListNotFoundError(): AppError {
  return new AppError("not_found", "This key has no list with that id");
}

function createNameTakenError(what: "list" | "view"): AppError {
  return createNameError(`You already have a ${what} with this name`);
}

function createLimitError(what: "lists" | "views", limit: number): AppError {
  return createNameError(`You have ${limit} ${what}, the most a key can have. Delete one first`);
}

function createNameError(message: string): AppError {
  return new AppError("invalid_request", message, { issues: [{ field: "name", message }] });
}

/** The key's saved views of the overview. */
export function listSavedViews({ db }: CoreContext, keyId: KeyId) {
  return db
    .select({ id: savedViews.id, name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(eq(savedViews.keyId, keyId))
    .orderBy(asc(savedViews.createdAt), asc(savedViews.id));
}

/** Saves a view under a new name. @throws AppError `invalid_request` when it is taken or the key has 20 views */
export function saveView(ctx: CoreContext, keyId: KeyId, name: string, query: string) {
  return runExclusively(ctx, keyId, async ({ db, clock }) => {
    const held = await db.$count(savedViews, eq(savedViews.keyId, keyId));
    if (held >= VIEWS_PER_KEY) throw createLimitError("views", VIEWS_PER_KEY);
    const [saved] = await db
      .insert(savedViews)
      .values({ keyId, name, foldedName: foldName(name), query, createdAt: clock.now() })
      .onConflictDoNothing({ target: [savedViews.keyId, savedViews.foldedName] })
      .returning({ id: savedViews.id });
    if (!saved) throw createNameTakenError("view");
    return { ...saved, name, query };
  });
}

/** Deletes a saved view. @throws AppError `not_found` */
export async function deleteView({ db }: CoreContext, keyId: KeyId, id: string): Promise<void> {
  const { count } = await db.delete(savedViews).where(and(eq(savedViews.keyId, keyId), eq(savedViews.id, id)));
  if (count === 0) throw new AppError("not_found", "This key has no view with that id");
}

const isNoteSql = (keyId: KeyId, channelId: string) =>
  and(eq(creatorNotes.keyId, keyId), eq(creatorNotes.channelId, channelId));

export type Note = Awaited<ReturnType<typeof getNote>>;

/** The key's note on a creator, empty without one. @throws AppError `not_found` when the key does not track it */
export async function getNote({ db }: CoreContext, keyId: KeyId, channelId: string) {
  const saved_at = sql<string | null>`${toIsoText(creatorNotes.savedAt)}`;
  const [row] = await db
    .select({ note: sql<string>`coalesce(${creatorNotes.note}, '')`, saved_at })
    .from(trackedCreators)
    .leftJoin(creatorNotes, isNoteSql(keyId, channelId))
    .where(isTrackedSql(keyId, [channelId]));
  if (!row) throw createNotTrackedError();
  return row;
}

/** Saves the key's note on a creator; an empty one deletes it. @throws AppError `not_found` when it is not tracked */
export async function saveNote({ db, clock }: CoreContext, keyId: KeyId, channelId: string, note: string) {
  if ((await db.$count(trackedCreators, isTrackedSql(keyId, [channelId]))) === 0) throw createNotTrackedError();
  if (note === "") {
    await db.delete(creatorNotes).where(isNoteSql(keyId, channelId));
    return { note, saved_at: null };
  }
  const savedAt = clock.now().toISOString();
  const { count } = await db.execute(sql`
    insert into ${creatorNotes} (key_id, channel_id, note, saved_at)
    select key_id, channel_id, ${note}, ${savedAt}::timestamptz from ${trackedCreators}
    where ${isTrackedSql(keyId, [channelId])}
    on conflict (key_id, channel_id) do update set note = excluded.note, saved_at = excluded.saved_at`);
  if (count === 0) throw createNotTrackedError();
  return { note, saved_at: savedAt };
}

/**
 * Deletes the list entries and notes of creators that their key has not tracked for as long as snapshots are kept.
 * Until then they are hidden, and back as soon as the key tracks the creator again. The days count from the first purge
 * that finds the creator untracked. If the channel itself is deleted earlier, they go with it.
 */
export async function purgeListsAndNotes({ db, clock }: CoreContext, oldest: Day): Promise<void> {
  const today = toUtcDay(clock.now());
  for (const table of [listCreators, creatorNotes]) {
    const isTracked = sql`exists (
      select from ${trackedCreators}
      where ${trackedCreators.keyId} = ${table.keyId} and ${trackedCreators.channelId} = ${table.channelId})`;
    await db
      .update(table)
      .set({ untrackedOn: sql`case when ${table.untrackedOn} is null then ${today}::date end` })
      .where(sql`(${table.untrackedOn} is not null) = ${isTracked}`);
    await db.delete(table).where(sql`${table.untrackedOn} < ${oldest}::date`);
  }
}
