import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { creatorLists, creatorNotes, listCreators, savedViews } from "@/db/schema";
import { trackUnread, untrackCreator, untrackCreators } from "@/features/creators/service";
import { TrackedQuery } from "@/features/creators/table.schema";
import { trackedTable } from "@/features/creators/table.service";
import { deleteKey } from "@/features/keys/service";
import { channelId } from "@/test/platform";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { saveNote } from "./notes.service";
import {
  addToList,
  createList,
  creatorListsOf,
  deleteList,
  listsHolding,
  removeFromList,
  renameList,
} from "./service";
import { saveView } from "./views.service";

const [OWL, FOX, ELK] = [channelId(1), channelId(2), channelId(3)];
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
  const shown = async ({ id } = key) =>
    (await creatorListsOf(service, id)).lists.map(({ name, creators }) => [name, creators]);
  const inTable = async (list: string, { id } = key) => {
    const query = TrackedQuery.parse({ list });
    const { creators, pagination } = await trackedTable(service, id, query);
    expect(pagination.total).toBe(creators.length);
    return creators.map(({ channel_id }) => channel_id).sort();
  };

  it("are shown oldest first with the number of their creators, beside all that the key tracks", async () => {
    await make("Spring", OWL, FOX);
    service.clock.advance(1000);
    await make("Autumn", OWL);
    service.clock.advance(1000);
    await make("Empty");
    expect(await shown()).toEqual([
      ["Spring", 2],
      ["Autumn", 1],
      ["Empty", 0],
    ]);
    expect((await creatorListsOf(service, key.id)).tracked).toBe(2);
  });

  it("filter the table of tracked creators; an unknown list is empty", async () => {
    const list = await make("Spring", FOX);
    expect(await inTable(list)).toEqual([FOX]);
    expect(await inTable("00000000-0000-4000-8000-000000000000")).toEqual([]);
  });

  it("take each creator once, and only creators that the key tracks", async () => {
    const list = await make("Spring");
    expect(await addToList(service, key.id, list, [FOX, OWL, FOX, ELK])).toBe(2);
    expect(await addToList(service, key.id, list, [OWL])).toBe(0);
    expect(await removeFromList(service, key.id, list, [FOX, ELK])).toBe(1);
    expect(await inTable(list)).toEqual([OWL]);
    expect(await listsHolding(service, key.id, OWL)).toEqual([list]);
    expect(await listsHolding(service, key.id, FOX)).toEqual([]);
  });

  it("have a name of their own in any case, also after a rename", async () => {
    const list = await make("Straße");
    const second = await make("Second");
    for (const name of ["straße", "STRASSE"])
      await expect(createList(service, key.id, name)).rejects.toMatchObject(TAKEN);
    await expect(renameList(service, key.id, second, "STRASSE")).rejects.toMatchObject(TAKEN);
    await renameList(service, key.id, list, "STRASSE");
    await createList(service, other.id, "Straße");
    expect((await shown()).map(([name]) => name)).toContain("STRASSE");
  });

  it("are at most 50, also under parallel requests", async () => {
    const names = Array.from({ length: 60 }, (_, number) => `List ${number}`);
    const made = await Promise.allSettled(names.map((name) => createList(service, key.id, name)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
    await expect(createList(service, key.id, "More")).rejects.toMatchObject(TAKEN);
    expect(await shown()).toHaveLength(50);
  });

  it("are made once when one name is asked for in parallel", async () => {
    const made = await Promise.allSettled(["a", "A", "a"].map((name) => createList(service, key.id, name)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("can be deleted; the creators stay tracked", async () => {
    const list = await make("Spring", OWL, FOX);
    await deleteList(service, key.id, list);
    expect(await creatorListsOf(service, key.id)).toEqual({ lists: [], tracked: 2 });
    expect(await service.db.$count(listCreators, eq(listCreators.keyId, key.id))).toBe(0);
    await expect(deleteList(service, key.id, list)).rejects.toMatchObject(NOT_FOUND);
  });

  it("hide a creator while it is not tracked and show it again afterwards", async () => {
    const list = await make("Spring", OWL, FOX);
    expect((await untrackCreators(service, key.id, [OWL, FOX, ELK])).sort()).toEqual([OWL, FOX]);
    expect(await shown()).toEqual([["Spring", 0]]);
    expect(await listsHolding(service, key.id, OWL)).toEqual([]);
    expect(await addToList(service, key.id, list, [OWL])).toBe(0);
    await trackUnread(service, key.id, [OWL]);
    expect(await inTable(list)).toEqual([OWL]);
    await untrackCreator(service, key.id, OWL);
    expect(await inTable(list)).toEqual([]);
  });

  it("of another key can be neither seen nor changed, and are answered like those that do not exist", async () => {
    const list = await make("Spring", OWL);
    await trackUnread(service, other.id, [OWL]);
    expect(await creatorListsOf(service, other.id)).toEqual({ lists: [], tracked: 1 });
    expect(await inTable(list, other)).toEqual([]);
    expect(await listsHolding(service, other.id, OWL)).toEqual([]);
    for (const id of [list, "00000000-0000-4000-8000-000000000000"])
      for (const change of [
        () => renameList(service, other.id, id, "Taken over"),
        () => deleteList(service, other.id, id),
        () => addToList(service, other.id, id, [OWL]),
        () => removeFromList(service, other.id, id, [OWL]),
      ])
        await expect(change()).rejects.toMatchObject(NOT_FOUND);
    expect(await untrackCreators(service, other.id, [OWL, FOX])).toEqual([OWL]);
    expect(await shown()).toEqual([["Spring", 1]]);
    expect(await inTable(list)).toEqual([OWL]);
  });

  it("cannot hold a row of another key in the database either", async () => {
    const listId = await make("Spring");
    const row = { keyId: other.id, listId, channelId: OWL };
    await expect(service.db.insert(listCreators).values(row)).rejects.toThrow();
  });

  it("go with the key, and so do its notes and views", async () => {
    await make("Spring", OWL);
    await saveNote(service, key.id, OWL, "Ask again");
    await saveView(service, key.id, "Mine", "level=RISING");
    await deleteKey(service, key.id);
    for (const table of [creatorLists, listCreators, creatorNotes, savedViews])
      expect(await service.db.$count(table, eq(table.keyId, key.id))).toBe(0);
  });
});
