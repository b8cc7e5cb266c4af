import { beforeEach, describe, expect, it } from "vitest";
import { trackUnread, untrackCreator } from "@/features/creators/service";
import { createChannelId } from "@/test/platform";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { NewView, NoteInput } from "./schema";
import { deleteView, getNote, listSavedViews, saveNote, saveView } from "./service";

const OWL = createChannelId(1);
const NONE = { note: "", saved_at: null };
const NOT_FOUND = { code: "not_found" };

describe("notes and saved views", () => {
  const service = useService();
  let key: TestKey;
  let other: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    other = await createKey(service);
    for (const { id } of [key, other]) await trackUnread(service, id, [OWL]);
  });

  const readNote = ({ id } = key) => getNote(service, id, OWL);
  const saveTestView = (name: string, query = "") => saveView(service, key.id, name, query);

  it("keeps one note per key and creator, and deletes it when it is empty", async () => {
    expect(await readNote()).toEqual(NONE);
    await saveNote(service, key.id, OWL, "First");
    await saveNote(service, key.id, OWL, "Second");
    expect(await readNote()).toEqual({ note: "Second", saved_at: TEST_START });
    expect(await readNote(other)).toEqual(NONE);
    await saveNote(service, other.id, OWL, "");
    expect((await readNote()).note).toBe("Second");
    expect(await saveNote(service, key.id, OWL, "")).toEqual(NONE);
    expect(await readNote()).toEqual(NONE);
  });

  it("hides the note of an untracked creator until it is tracked again", async () => {
    await saveNote(service, key.id, OWL, "Kept");
    await untrackCreator(service, key.id, OWL);
    await expect(readNote()).rejects.toMatchObject({ code: "not_tracked" });
    for (const text of ["", "New"])
      await expect(saveNote(service, key.id, OWL, text)).rejects.toMatchObject({ code: "not_tracked" });
    await trackUnread(service, key.id, [OWL]);
    expect((await readNote()).note).toBe("Kept");
  });

  it.each([
    ["  two\r\nlines\t", "two\nlines"],
    [" \n ", ""],
    ["x".repeat(2000), "x".repeat(2000)],
    ["👋".repeat(1000), "👋".repeat(1000)],
  ])("accepts the note %j", (text, taken) => {
    expect(NoteInput.parse({ channel_id: OWL, note: text }).note).toBe(taken);
  });

  it.each(["x".repeat(2001), "a\u0000b", "\ud800"])("refuses the note %j", (text) => {
    expect(NoteInput.safeParse({ channel_id: OWL, note: text }).success).toBe(false);
  });

  it("stores the longest note and name", async () => {
    await saveNote(service, key.id, OWL, "👋".repeat(1000));
    await saveTestView("👋".repeat(20));
    expect((await readNote()).note).toHaveLength(2000);
  });

  it("keeps views per key, oldest first, each with a unique name", async () => {
    const rising = await saveTestView("Rising", "level=RISING");
    service.clock.advance(1000);
    await saveTestView("By name", "sort=name&order=asc");
    expect(await listSavedViews(service, key.id)).toMatchObject([
      { name: "Rising", query: "level=RISING" },
      { name: "By name", query: "sort=name&order=asc" },
    ]);
    await expect(saveTestView("RISING")).rejects.toMatchObject({ code: "invalid_request" });
    expect(await listSavedViews(service, other.id)).toEqual([]);
    await expect(deleteView(service, other.id, rising.id)).rejects.toMatchObject(NOT_FOUND);
    await deleteView(service, key.id, rising.id);
    expect(await listSavedViews(service, key.id)).toHaveLength(1);
  });

  it("keeps at most 20 views, also under parallel requests", async () => {
    const names = Array.from({ length: 30 }, (_, number) => `View ${number}`);
    await Promise.allSettled(names.map((name) => saveTestView(name)));
    expect(await listSavedViews(service, key.id)).toHaveLength(20);
  });

  it("stores only the known parameters of a view's query", () => {
    const { query } = NewView.parse({ name: "A", query: "?level=RISING&page=3#x" });
    expect(query).toBe("level=RISING");
  });
});
