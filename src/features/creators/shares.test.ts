import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { GET as image } from "@/app/(console)/shared/[token]/image/route";
import { DAY } from "@/core/time";
import { shares } from "@/db/schema";
import { deleteKey, revokeKey } from "@/features/keys/service";
import { mayCompareChannels } from "@/server/context";
import { pageProtection } from "@/server/protection";
import { channelId } from "@/test/platform";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { trackUnread, untrackCreator } from "./service";
import { listShares, purgeShares, revokeShare, shareCreator, sharedCard } from "./shares.service";

const [OWL, FOX] = [channelId(1), channelId(2)];

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

  const publishing = () => ({ ...service, mayPublish: true });
  const share = async (days: 7 | 30 = 7) => {
    const made = await shareCreator(publishing(), key.id, { channel_id: OWL, days });
    return { ...made, token: made.url.slice("http://growth.test/shared/".length) };
  };
  const open = (token: string) => sharedCard(publishing(), token);

  it("shows the creator of a link, and stores only the hash of its token", async () => {
    const { id, token } = await share();
    expect((await open(token))?.creator.channel_id).toBe(OWL);
    const [row] = await service.db.select().from(shares);
    expect(row).toMatchObject({ id, tokenHash: createHash("sha256").update(token).digest("hex") });
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it("is made only for creators that the key tracks", async () => {
    const input = { channel_id: FOX, days: 7 } as const;
    await expect(shareCreator(publishing(), key.id, input)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is listed and revoked by its own key only", async () => {
    const { id, token } = await share();
    expect(await listShares(service, other.id)).toEqual([]);
    await expect(revokeShare(service, other.id, id)).rejects.toMatchObject({ code: "not_found" });
    expect(await open(token)).not.toBeNull();
    expect(await listShares(service, key.id)).toMatchObject([{ id, channel_id: OWL }]);
    await revokeShare(service, key.id, id);
    expect(await open(token)).toBeNull();
  });

  it.each([7, 30] as const)("ends after %i days, and is then deleted", async (days) => {
    const { token } = await share(days);
    service.clock.advance(days * DAY - 1);
    expect(await open(token)).not.toBeNull();
    service.clock.advance(1);
    expect(await open(token)).toBeNull();
    await purgeShares(service);
    expect(await service.db.$count(shares)).toBe(0);
  });

  it("ends when its key stops tracking the creator, also if it tracks it again", async () => {
    const { token } = await share();
    await untrackCreator(service, key.id, OWL);
    await trackUnread(service, key.id, [OWL]);
    expect(await open(token)).toBeNull();
  });

  it("ends when its key is revoked or deleted", async () => {
    const { token } = await share();
    await revokeKey(service, key.id);
    expect(await open(token)).toBeNull();
    await deleteKey(service, key.id);
    expect(await listShares(service, key.id)).toEqual([]);
  });

  it("is off where creators may not be shown, also for earlier links", async () => {
    const { token } = await share();
    const off = { ...service, mayPublish: false };
    expect(await sharedCard(off, token)).toBeNull();
    const made = shareCreator(off, key.id, { channel_id: OWL, days: 7 });
    await expect(made).rejects.toMatchObject({ code: "forbidden" });
    const youtube = { ...service.platform, name: "youtube" } as const;
    expect(mayCompareChannels({ platform: youtube, env: service.env })).toBe(false);
  });

  it("cannot exceed 100 open links of a key, also when they are made at once", async () => {
    for (let made = 0; made < 98; made++) await share();
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => share()));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await listShares(service, key.id)).toHaveLength(100);
  });

  it("has a PNG of 1200 × 630 that is not cached; ended links have none", async () => {
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

  it("is not indexed, not cached, and sends no address on", () => {
    const view = { nonce: "n", path: "/shared/token", appUrl: "https://growth.test", isDevelopment: false };
    expect(pageProtection(view)).toMatchObject({
      "X-Robots-Tag": "noindex, nofollow",
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "no-referrer",
    });
  });
});
