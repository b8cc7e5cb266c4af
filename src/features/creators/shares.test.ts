import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { GET as image } from "@/app/(console)/shared/[token]/image/route";
import { DAY } from "@/core/time";
import { shares } from "@/db/schema";
import { deleteKey, revokeKey } from "@/features/keys/service";
import { addToList, createList, deleteList } from "@/features/lists/service";
import { canCompareChannels } from "@/server/context";
import { getPageHeaders } from "@/server/protection";
import { createChannelId } from "@/test/platform";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { trackUnread, untrackCreator } from "./service";
import { createShare, getSharedCard, getSharedList, listShares, purgeShares, revokeShare } from "./shares.service";

const [OWL, FOX] = [createChannelId(1), createChannelId(2)];

describe("evidence cards", () => {
  const service = useService();
  let key: TestKey;
  let other: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    other = await createKey(service);
    await trackUnread(service, key.id, [OWL]);
  });

  const createPublishing = () => ({ ...service, mayPublish: true });
  const share = async (days: 7 | 30 = 7) => {
    const made = await createShare(createPublishing(), key.id, { channel_id: OWL, days });
    return { ...made, token: made.url.slice("http://growth.test/shared/".length) };
  };
  const open = (token: string) => getSharedCard(createPublishing(), token);

  it("shows the creator of a shared link and stores only the hash of its token", async () => {
    const { id, token } = await share();
    expect((await open(token))?.creator.channel_id).toBe(OWL);
    const [row] = await service.db.select().from(shares);
    expect(row).toMatchObject({ id, tokenHash: createHash("sha256").update(token).digest("hex") });
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it("shows the creators of a shared list that the key tracks now, and no card", async () => {
    const { id: list_id } = await createList(service, key.id, "Spring");
    await trackUnread(service, key.id, [FOX]);
    await addToList(service, key.id, list_id, [OWL, FOX]);
    const made = await createShare(createPublishing(), key.id, { list_id, days: 7 });
    expect(made).toMatchObject({ name: "Spring", channel_id: null });
    const token = made.url.slice("http://growth.test/shared/".length);
    await untrackCreator(service, key.id, FOX);
    const shared = await getSharedList(createPublishing(), token);
    expect(shared?.name).toBe("Spring");
    expect(shared?.table.creators.map(({ channel_id }) => channel_id)).toEqual([OWL]);
    expect(await open(token)).toBeNull();
    expect(await listShares(service, key.id)).toMatchObject([{ name: "Spring", channel_id: null }]);
    expect(await getSharedList({ ...service, mayPublish: false }, token)).toBeNull();
    service.clock.advance(7 * DAY);
    expect(await getSharedList(createPublishing(), token)).toBeNull();
  });

  it("closes the link to a list when it is revoked, its list deleted or its key revoked", async () => {
    const shareNew = async (name: string) => {
      const { id: list_id } = await createList(service, key.id, name);
      const { id, url } = await createShare(createPublishing(), key.id, { list_id, days: 7 });
      return { id, list_id, token: url.slice("http://growth.test/shared/".length) };
    };
    const [first, second, third] = [await shareNew("A"), await shareNew("B"), await shareNew("C")];
    const isOpen = async ({ token }: { token: string }) => (await getSharedList(createPublishing(), token)) !== null;
    expect(await Promise.all([first, second, third].map(isOpen))).toEqual([true, true, true]);
    await revokeShare(service, key.id, first.id);
    await deleteList(service, key.id, second.list_id);
    expect(await Promise.all([first, second, third].map(isOpen))).toEqual([false, false, true]);
    await revokeKey(service, key.id);
    expect(await isOpen(third)).toBe(false);
    const input = { list_id: third.list_id, days: 7 } as const;
    await expect(createShare(createPublishing(), other.id, input)).rejects.toMatchObject({ code: "not_found" });
  });

  it("refuses to share creators that the key does not track", async () => {
    const input = { channel_id: FOX, days: 7 } as const;
    await expect(createShare(createPublishing(), key.id, input)).rejects.toMatchObject({
      code: "not_tracked",
    });
  });

  it("lists and revokes links for their own key only", async () => {
    const { id, token } = await share();
    expect(await listShares(service, other.id)).toEqual([]);
    await expect(revokeShare(service, other.id, id)).rejects.toMatchObject({ code: "not_found" });
    expect(await open(token)).not.toBeNull();
    expect(await listShares(service, key.id)).toMatchObject([{ id, channel_id: OWL }]);
    await revokeShare(service, key.id, id);
    expect(await open(token)).toBeNull();
  });

  it.each([7, 30] as const)("closes a link after %i days and then deletes it", async (days) => {
    const { token } = await share(days);
    service.clock.advance(days * DAY - 1);
    expect(await open(token)).not.toBeNull();
    service.clock.advance(1);
    expect(await open(token)).toBeNull();
    await purgeShares(service);
    expect(await service.db.$count(shares)).toBe(0);
  });

  it("closes a link when its key untracks the creator, even if it tracks it again", async () => {
    const { token } = await share();
    await untrackCreator(service, key.id, OWL);
    await trackUnread(service, key.id, [OWL]);
    expect(await open(token)).toBeNull();
  });

  it("closes a link when its key is revoked or deleted", async () => {
    const { token } = await share();
    await revokeKey(service, key.id);
    expect(await open(token)).toBeNull();
    await deleteKey(service, key.id);
    expect(await listShares(service, key.id)).toEqual([]);
  });

  it("refuses to share where creators may not be shown, and closes earlier links", async () => {
    const { token } = await share();
    const off = { ...service, mayPublish: false };
    expect(await getSharedCard(off, token)).toBeNull();
    const made = createShare(off, key.id, { channel_id: OWL, days: 7 });
    await expect(made).rejects.toMatchObject({ code: "forbidden" });
    const youtube = { ...service.platform, name: "youtube" } as const;
    expect(canCompareChannels({ platform: youtube, env: service.env })).toBe(false);
  });

  it("allows at most 100 open links per key, also in parallel requests", async () => {
    for (let made = 0; made < 98; made++) await share();
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => share()));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await listShares(service, key.id)).toHaveLength(100);
  });

  it("returns an uncached PNG of 1200 × 630, and 404 for closed links", async () => {
    const { id, token } = await share();
    const get = () => image(new Request("http://growth.test"), { params: Promise.resolve({ token }) });
    const response = await get();
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    await revokeShare(service, key.id, id);
    expect((await get()).status).toBe(404);
  });

  it("sends headers against indexing, caching and referrers", () => {
    const view = { nonce: "n", path: "/shared/token", appUrl: "https://growth.test", isDevelopment: false };
    expect(getPageHeaders(view)).toMatchObject({
      "X-Robots-Tag": "noindex, nofollow",
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "no-referrer",
    });
  });
});
