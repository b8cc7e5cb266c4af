import { beforeEach, describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { channels, creatorNotes, listCreators } from "@/db/schema";
import { trackUnread, untrackCreator } from "@/features/creators/service";
import { createChannelId } from "@/test/platform";
import { createKey, type TestKey, useService } from "@/test/service";
import { addToList, createList, purgeListsAndNotes, saveNote } from "./service";

const OWL = createChannelId(1);
const DAY_ONE = "2026-06-01";

describe("retention of lists and notes", () => {
  const service = useService();
  let key: TestKey;

  beforeEach(async () => {
    for (const table of [listCreators, creatorNotes]) await service.db.delete(table);
    key = await createKey(service);
    await trackUnread(service, key.id, [OWL]);
    const { id } = await createList(service, key.id, "Spring");
    await addToList(service, key.id, id, [OWL]);
    await saveNote(service, key.id, OWL, "Ask again");
  });

  const purgeOn = (day: string) => {
    service.clock.set(`${day}T12:00:00Z`);
    return purgeListsAndNotes(service, addDays(day, -29));
  };
  const readLeft = async () => [await service.db.$count(listCreators), await service.db.$count(creatorNotes)];

  it("keeps lists and notes while tracked, and for 30 days from the first purge after that", async () => {
    await purgeOn(DAY_ONE);
    await untrackCreator(service, key.id, OWL);
    for (const days of [100, 101, 129]) await purgeOn(addDays(DAY_ONE, days));
    expect(await readLeft()).toEqual([1, 1]);
    await purgeOn(addDays(DAY_ONE, 130));
    expect(await readLeft()).toEqual([0, 0]);
  });

  it("restarts the 30 days when the creator is tracked again", async () => {
    await untrackCreator(service, key.id, OWL);
    await purgeOn(DAY_ONE);
    await trackUnread(service, key.id, [OWL]);
    await purgeOn(addDays(DAY_ONE, 40));
    await untrackCreator(service, key.id, OWL);
    await purgeOn(addDays(DAY_ONE, 41));
    expect(await readLeft()).toEqual([1, 1]);
  });

  it("deletes lists and notes with the channel, and never blocks its deletion", async () => {
    await untrackCreator(service, key.id, OWL);
    await service.db.delete(channels);
    expect(await readLeft()).toEqual([0, 0]);
  });
});
