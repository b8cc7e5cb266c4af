import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, type Day, MINUTE, toDate } from "@/core/time";
import { alerts } from "@/db/schema";
import { trackUnread } from "@/features/creators/service";
import { addToList, createList } from "@/features/lists/service";
import { createChannelId } from "@/test/platform";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { countUnreadAlerts, getInbox, getInboxSummary, markAlert, markAllRead, undoAllRead } from "./inbox.service";
import type { InboxFilter } from "./query.schema";

const EVERY: InboxFilter = {
  severity: null,
  label: null,
  outcome: null,
  cause: null,
  unread: false,
  channel_id: null,
  day: null,
  list: null,
};
const DAY: Day = "2026-03-01";

describe("alert inbox", () => {
  const service = useService();
  let key: TestKey;
  let other: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    await service.db.delete(alerts);
    key = await createKey(service);
    other = await createKey(service);
    for (const { id } of [key, other]) {
      await trackUnread(service, id, [createChannelId(1)]);
      await insert(id, { label: "sustained", reason: "It grew." });
      await insert(id, { severity: "SURGING", outcome7d: "held" });
      await insert(id, { outcome7d: "held", outcome28d: "faded" });
      await insert(id, { outcome7d: "held", outcome28d: "unclear" });
    }
  });

  let made = 0;
  async function insert(keyId: string, values: Partial<typeof alerts.$inferInsert>) {
    const at = toDate(TEST_START);
    await service.db.insert(alerts).values({
      keyId,
      channelId: createChannelId(1),
      day: addDays(DAY, made++),
      subscribersBefore: 1000,
      subscribersAfter: 1125,
      severity: "WATCH",
      message: "",
      createdAt: at,
      ...(values.outcome7d && { outcome7dAt: at }),
      ...(values.outcome28d && { outcome28dAt: at }),
      ...values,
    });
  }

  const readInbox = async (filter: Partial<InboxFilter> = {}, { id } = key) =>
    (await getInbox(service, id, { offset: 0, limit: 20 }, { ...EVERY, ...filter })).alerts;
  const summarize = (filter: Partial<InboxFilter> = {}) => getInboxSummary(service, key.id, { ...EVERY, ...filter });
  const countUnread = ({ id } = key) => countUnreadAlerts(service, id);

  it("filters by label, by shown outcome and by unread", async () => {
    expect(await readInbox()).toHaveLength(4);
    expect(await readInbox({ label: "sustained" })).toHaveLength(1);
    expect(await readInbox({ outcome: "held" })).toHaveLength(2);
    expect((await readInbox({ outcome: "faded" })).map(({ outcome }) => outcome)).toEqual(["faded"]);
    expect((await readInbox({ outcome: "pending" })).map(({ outcome }) => outcome)).toEqual([null]);
    expect(await readInbox({ outcome: "unclear" })).toEqual([]);
    const [first] = await readInbox();
    await markAlert(service, key.id, first?.id ?? "", true);
    expect(await readInbox({ unread: true })).toHaveLength(3);
    expect((await readInbox()).filter((alert) => alert.is_read)).toHaveLength(1);
  });

  it("counts what each choice of a filter would show, given the other filters", async () => {
    const { total, unread, severity, outcome, label, cause, record } = await summarize();
    expect({ total, unread, severity, outcome, label, cause }).toEqual({
      total: 4,
      unread: 4,
      severity: { WATCH: 3, SURGING: 1 },
      outcome: { pending: 1, held: 2, faded: 1 },
      label: { sustained: 1 },
      cause: { unknown: 4 },
    });
    expect(record).toEqual([{ label: null, held: 3, graded: 3 }]);
    const held = await summarize({ outcome: "held", unread: true });
    expect(held).toMatchObject({ total: 4, unread: 2, severity: { WATCH: 1, SURGING: 1 } });
    expect(held.outcome).toEqual({ pending: 1, held: 2, faded: 1 });
    expect((await summarize({ channel_id: createChannelId(2) })).severity).toEqual({});
  });

  it("filters by a list of its own key", async () => {
    const { id } = await createList(service, key.id, "Scouts");
    expect(await readInbox({ list: id })).toEqual([]);
    await addToList(service, key.id, id, [createChannelId(1)]);
    expect(await readInbox({ list: id })).toHaveLength(4);
    expect(await readInbox({ list: id }, other)).toEqual([]);
    expect((await summarize({ list: id })).severity).toEqual({ WATCH: 3, SURGING: 1 });
  });

  it("marks an alert of its own key as read and as unread again", async () => {
    const [alert] = await readInbox();
    const id = alert?.id ?? "";
    await expect(markAlert(service, other.id, id, true)).rejects.toMatchObject({ code: "not_found" });
    expect(await countUnread()).toBe(4);
    await markAlert(service, key.id, id, true);
    expect([await countUnread(), await countUnread(other)]).toEqual([3, 4]);
    await markAlert(service, key.id, id, false);
    expect(await countUnread()).toBe(4);
  });

  it("marks the filtered alerts as read and undoes exactly that", async () => {
    const [oldest] = await readInbox({ label: "sustained" });
    await markAlert(service, key.id, oldest?.id ?? "", true);
    service.clock.advance(MINUTE);
    const { marked, at } = await markAllRead(service, key.id, { ...EVERY, outcome: "held" });
    expect([marked, await countUnread(), await countUnread(other)]).toEqual([2, 1, 4]);
    await undoAllRead(service, other.id, at);
    expect(await countUnread()).toBe(1);
    await undoAllRead(service, key.id, at);
    expect(await countUnread()).toBe(3);
    expect(await service.db.$count(alerts, eq(alerts.keyId, key.id))).toBe(4);
  });
});
