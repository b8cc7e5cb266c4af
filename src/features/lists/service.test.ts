import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { creatorLists, creatorNotes, listCreators, savedViews } from "@/db/schema";
import { TrackedQuery } from "@/features/creators/query.schema";
import { trackUnread, untrackCreator, untrackCreators } from "@/features/creators/service";
import { getTrackedTable } from "@/features/creators/table.service";
import { deleteKey } from "@/features/keys/service";
import { createChannelId } from "@/test/platform";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import {
  addToList,
  createList,
  deleteList,
  findListsWithCreator,
  listCreatorLists,
  removeFromList,
  renameList,
  saveNote,
  saveView,
} from "./service";

const [OWL, FOX, ELK] = [createChannelId(1), createChannelId(2), createChannelId(3)];
const NOT_FOUND = { code: "not_found" };
const TAKEN = { code: "invalid_request", issues: [{ field: "name" }] };

describe("lists", () => {
  const service = useService();
  let key: TestKey;
  let other: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    other = await createKey(service);
    await trackUnread(service, key.id, [OWL, FOX]);
  });

  const make = async (name: string, ...ids: string[]) => {
    const { id } = await createList(service, key.id, name);
    if (ids.length > 0) await addToList(service, key.id, id, ids);
    return id;
  };
  const readLists = async ({ id } = key) =>
    (await listCreatorLists(service, id)).lists.map(({ name, creators }) => [name, creators]);
  const listTableCreators = async (list: string, { id } = key) => {
    const query = TrackedQuery.parse({ list });
    const { creators, pagination } = await getTrackedTable(service, id, query);
    expect(pagination.total).toBe(creators.length);
    return creators.map(({ channel_id }) => channel_id).sort();
  };

  it("shows lists oldest first with their numbers of creators, beside all that the key tracks", async () => {
    await make("Spring", OWL, FOX);
    service.clock.advance(1000);
    await make("Autumn", OWL);
    service.clock.advance(1000);
    await make("Empty");
    expect(await readLists()).toEqual([
      ["Spring", 2],
      ["Autumn", 1],
      ["Empty", 0],
    ]);
    expect((await listCreatorLists(service, key.id)).tracked).toBe(2);
  });

  it("filters tracked creators by list, and returns none for an unknown list", async () => {
    const list = await make("Spring", FOX);
    expect(await listTableCreators(list)).toEqual([FOX]);
    expect(await listTableCreators("00000000-0000-4000-8000-000000000000")).toEqual([]);
  });

  it("adds each creator once, and only creators that the key tracks", async () => {
    const list = await make("Spring");
    expect(await addToList(service, key.id, list, [FOX, OWL, FOX, ELK])).toBe(2);
    expect(await addToList(service, key.id, list, [OWL])).toBe(0);
    expect(await removeFromList(service, key.id, list, [FOX, ELK])).toBe(1);
    expect(await listTableCreators(list)).toEqual([OWL]);
    expect(await findListsWithCreator(service, key.id, OWL)).toEqual([list]);
    expect(await findListsWithCreator(service, key.id, FOX)).toEqual([]);
  });

  it("requires a unique name in any case, also after a rename", async () => {
    const list = await make("Straße");
    const second = await make("Second");
    for (const name of ["straße", "STRASSE"])
      await expect(createList(service, key.id, name)).rejects.toMatchObject(TAKEN);
    await expect(renameList(service, key.id, second, "STRASSE")).rejects.toMatchObject(TAKEN);
    await renameList(service, key.id, list, "STRASSE");
    await createList(service, other.id, "Straße");
    expect((await readLists()).map(([name]) => name)).toContain("STRASSE");
  });

  it("keeps at most 50 lists, also under parallel requests", async () => {
    const names = Array.from({ length: 60 }, (_, number) => `List ${number}`);
    const made = await Promise.allSettled(names.map((name) => createList(service, key.id, name)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
    await expect(createList(service, key.id, "More")).rejects.toMatchObject(TAKEN);
    expect(await readLists()).toHaveLength(50);
  });

  it("creates one list when one name is sent in parallel", async () => {
    const made = await Promise.allSettled(["a", "A", "a"].map((name) => createList(service, key.id, name)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("deletes a list and keeps its creators tracked", async () => {
    const list = await make("Spring", OWL, FOX);
    await deleteList(service, key.id, list);
    expect(await listCreatorLists(service, key.id)).toEqual({ lists: [], tracked: 2 });
    expect(await service.db.$count(listCreators, eq(listCreators.keyId, key.id))).toBe(0);
    await expect(deleteList(service, key.id, list)).rejects.toMatchObject(NOT_FOUND);
  });

  it("hides an untracked creator and shows it again once it is tracked", async () => {
    const list = await make("Spring", OWL, FOX);
    expect((await untrackCreators(service, key.id, [OWL, FOX, ELK])).sort()).toEqual([OWL, FOX]);
    expect(await readLists()).toEqual([["Spring", 0]]);
    expect(await findListsWithCreator(service, key.id, OWL)).toEqual([]);
    expect(await addToList(service, key.id, list, [OWL])).toBe(0);
    await trackUnread(service, key.id, [OWL]);
    expect(await listTableCreators(list)).toEqual([OWL]);
    await untrackCreator(service, key.id, OWL);
    expect(await listTableCreators(list)).toEqual([]);
  });

  it("hides another key's list from every read and change, as if it did not exist", async () => {
    const list = await make("Spring", OWL);
    await trackUnread(service, other.id, [OWL]);
    expect(await listCreatorLists(service, other.id)).toEqual({ lists: [], tracked: 1 });
    expect(await listTableCreators(list, other)).toEqual([]);
    expect(await findListsWithCreator(service, other.id, OWL)).toEqual([]);
    for (const id of [list, "00000000-0000-4000-8000-000000000000"])
      for (const change of [
        () => renameList(service, other.id, id, "Taken over"),
        () => deleteList(service, other.id, id),
        () => addToList(service, other.id, id, [OWL]),
        () => removeFromList(service, other.id, id, [OWL]),
      ])
        await expect(change()).rejects.toMatchObject(NOT_FOUND);
    expect(await untrackCreators(service, other.id, [OWL, FOX])).toEqual([OWL]);
    expect(await readLists()).toEqual([["Spring", 1]]);
    expect(await listTableCreators(list)).toEqual([OWL]);
  });

  it("refuses a row of another key in the database", async () => {
    const listId = await make("Spring");
    const row = { keyId: other.id, listId, channelId: OWL };
    await expect(service.db.insert(listCreators).values(row)).rejects.toThrow();
  });

  it("deletes lists, notes and views with their key", async () => {
    await make("Spring", OWL);
    await saveNote(service, key.id, OWL, "Ask again");
    await saveView(service, key.id, "Mine", "level=RISING");
    await deleteKey(service, key.id);
    for (const table of [creatorLists, listCreators, creatorNotes, savedViews])
      expect(await service.db.$count(table, eq(table.keyId, key.id))).toBe(0);
  });
});
