import { beforeAll, describe, expect, it } from "vitest";
import { alerts } from "@/db/schema";
import { deleteKey } from "@/features/keys/service";
import { getSampleChannelId } from "@/platform/sample";
import { type Answer, send } from "@/test/request";
import { createKey, type TestKey, useService } from "@/test/service";

const MINE = getSampleChannelId("@juniperfivecrits");
const OTHERS = getSampleChannelId("@sprocketowl");
/** Known to the service, but not tracked. */
const UNTRACKED = getSampleChannelId("@tavinorrbrink");
/** A well-formed id without a channel. */
const MISSING = getSampleChannelId("@unknown.channel");

describe("two keys", () => {
  const service = useService();
  let mine: TestKey;
  let other: TestKey;

  beforeAll(async () => {
    mine = await createKey(service, "free");
    other = await createKey(service, "pro");
    await track(mine, MINE);
    await track(other, OTHERS);
    await track(other, UNTRACKED);
    await send(`/api/track/${UNTRACKED}`, { key: other.secret, method: "DELETE" });
    await service.db.insert(alerts).values([
      { ...createAlertRow(mine, MINE, "2026-03-09"), message: "mine" },
      { ...createAlertRow(other, OTHERS, "2026-03-08"), message: "other's first" },
      { ...createAlertRow(other, MINE, "2026-03-09"), message: "other's second" },
    ]);
    await setEmail(mine, "me@mine.example");
    await setEmail(other, "they@other.example");
  });

  const get = async (key: TestKey, path: string) => (await send(path, { key: key.secret })).body;
  const track = (key: TestKey, id: string) =>
    send("/api/track", { key: key.secret, method: "POST", body: { channel_id: id } });
  const setEmail = (key: TestKey, email: string) =>
    send("/api/alerts/email", { key: key.secret, method: "POST", body: { email } });

  function createAlertRow(key: TestKey, channelId: string, day: string): typeof alerts.$inferInsert {
    const counts = { subscribersBefore: 100, subscribersAfter: 120 };
    const createdAt = service.clock.now();
    return { keyId: key.id, channelId, day, ...counts, severity: "RISING FAST", message: "", createdAt };
  }

  it("have separate tracked creators", async () => {
    for (const [key, id] of [
      [mine, MINE],
      [other, OTHERS],
    ] as const) {
      const { pagination, creators } = await get(key, "/api/track");
      expect(pagination.total).toBe(1);
      expect(creators).toMatchObject([{ channel_id: id }]);
    }
  });

  it("have separate alerts, even for one channel on one day", async () => {
    const listMessages = async (key: TestKey) => {
      const { pagination, alerts: listed } = await get(key, "/api/alerts");
      expect(pagination.total).toBe(listed.length);
      return listed.map(({ message }: { message: string }) => message).sort();
    };
    expect(await listMessages(mine)).toEqual(["mine"]);
    expect(await listMessages(other)).toEqual(["other's first", "other's second"]);
  });

  it("have separate addresses that are set, replaced and cleared independently", async () => {
    await setEmail(other, "new@other.example");
    expect(await get(mine, "/api/alerts/email")).toMatchObject({ email: "me@mine.example" });
    await send("/api/alerts/email", { key: mine.secret, method: "DELETE" });
    expect(await get(other, "/api/alerts/email")).toMatchObject({ email: "new@other.example" });
    expect(await get(mine, "/api/alerts/email")).toMatchObject({ email: null });
  });

  it("have separate counters, limits and totals", async () => {
    const [before, others] = [await get(mine, "/api/usage"), await get(other, "/api/usage")];
    expect(before).toMatchObject({ tier: "free", requests_limit: 50, creators_tracked: 1, alerts_count: 1 });
    expect(others).toMatchObject({ tier: "pro", requests_limit: 2000, creators_tracked: 1, alerts_count: 2 });
    for (let request = 0; request < 5; request++) await get(other, "/api/alerts");
    expect((await get(mine, "/api/usage")).requests_today).toBe(before.requests_today + 1);
    expect((await get(other, "/api/usage")).requests_today).toBe(others.requests_today + 6);
  });

  it("keep working independently when one has reached its limit", async () => {
    const spent = await createKey(service, "free");
    await Promise.all(Array.from({ length: 50 }, () => service.quota.take(spent.id, 50)));
    expect((await send("/api/usage", { key: spent.secret })).status).toBe(429);
    expect((await send("/api/usage", { key: mine.secret })).status).toBe(200);
  });

  it.each([
    ["DELETE", (id: string) => `/api/track/${id}`],
    ["GET", (id: string) => `/api/track/${id}/history`],
  ] as const)(
    "get the same response to %s for another key's creator as for a missing one",
    async (method, buildPath) => {
      /** Everything an answer tells but its own id and the counter. */
      const toComparable = ({ status, headers, body }: Answer) => {
        const names = [...headers.keys()].filter(
          (name) => !/^(x-request-id|x-ratelimit-remaining|ratelimit)$/.test(name),
        );
        return {
          status,
          headers: names.map((name) => [name, headers.get(name)]),
          text: JSON.stringify(body),
        };
      };
      const answerTo = async (id: string) => toComparable(await send(buildPath(id), { key: mine.secret, method }));
      const missing = await answerTo(MISSING);
      expect(missing.status).toBe(404);
      expect(await answerTo(OTHERS)).toEqual(missing);
      expect(await answerTo(UNTRACKED)).toEqual(missing);
      expect((await get(other, "/api/track")).pagination.total).toBe(1);
    },
  );

  it("see a shared creator only since each started tracking, without data that the other caused", async () => {
    const early = await createKey(service);
    await track(early, OTHERS);
    service.clock.set("2026-03-12T12:00:00.000Z");
    const late = await createKey(service);
    await track(late, OTHERS);
    const listDays = async (key: TestKey) => {
      const { history } = await get(key, `/api/track/${OTHERS}/history`);
      return history.map(({ day }: { day: string }) => day);
    };
    expect(await listDays(early)).toEqual(["2026-03-10"]);
    expect(await listDays(late)).toEqual(["2026-03-12"]);
  });

  it("lose nothing when the other is deleted", async () => {
    const gone = await createKey(service);
    await track(gone, OTHERS);
    const listOwn = () => Promise.all(["", "/email"].map((path) => get(other, `/api/alerts${path}`)));
    const [creators, alertsAndEmail] = [await get(other, "/api/track"), await listOwn()];
    await deleteKey(service, gone.id);
    expect(await get(other, "/api/track")).toEqual(creators);
    expect(await listOwn()).toEqual(alertsAndEmail);
  });
});
