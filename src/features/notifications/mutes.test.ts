import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as muteRoute from "@/app/api/mute/route";
import { alerts, deliveries } from "@/db/schema";
import { untrackCreator } from "@/features/creators/service";
import type { KeyId } from "@/features/keys/schema";
import { deleteKey } from "@/features/keys/service";
import { installContext } from "@/server/context";
import { followLink, post } from "@/test/addresses";
import { useDeliveries } from "@/test/deliveries";
import { createChannelId } from "@/test/platform";
import { send } from "@/test/request";
import { createKey } from "@/test/service";
import { createMuteToken, findCreatorToMute, listMutedCreators, muteCreator, unmuteCreator } from "./mutes.service";

describe("muting a creator", () => {
  const { runs, getDelivery: deliveryOf, deliverAll } = useDeliveries();
  const { service } = runs;

  async function createAlert(keyId: KeyId) {
    const alertId = await runs.makeAlert(keyId);
    const [alert] = await service.db.select().from(alerts).where(eq(alerts.id, alertId));
    if (!alert) throw new Error("there is no alert");
    return { alertId, channel: alert.channelId };
  }

  it("stops an email that has not left, and keeps the alert and the post", async () => {
    const { key, email } = await runs.createMailedKey();
    const { alertId, channel } = await createAlert(key.id);
    await muteCreator(service, key.id, channel);
    await deliverAll();
    expect(await deliveryOf(alertId)).toMatchObject({
      status: "skipped",
      problem: "the key muted this creator",
    });
    expect(await deliveryOf(alertId, "monitoring")).toMatchObject({ status: "sent" });
    expect(runs.mailService.accepted.filter(({ to }) => to === email)).toEqual([]);
  });

  it("mutes a creator for one key only, and emails again after unmuting", async () => {
    const [mine, others] = [await runs.createMailedKey(), await runs.createMailedKey()];
    const first = await createAlert(mine.key.id);
    await muteCreator(service, mine.key.id, first.channel);
    await muteCreator(service, mine.key.id, first.channel);
    expect((await listMutedCreators(service, mine.key.id)).map(({ channel_id }) => channel_id)).toEqual([
      first.channel,
    ]);
    expect(await listMutedCreators(service, others.key.id)).toEqual([]);
    const theirs = await createAlert(others.key.id);
    await deliverAll();
    expect(await deliveryOf(theirs.alertId)).toMatchObject({ status: "sent" });
    await unmuteCreator(service, others.key.id, first.channel);
    expect(await listMutedCreators(service, mine.key.id)).toHaveLength(1);
    await unmuteCreator(service, mine.key.id, first.channel);
    const next = await createAlert(mine.key.id);
    await deliverAll();
    expect(await deliveryOf(next.alertId)).toMatchObject({ status: "sent" });
  });

  it("creates alerts without an email while a creator is muted", async () => {
    const { key } = await runs.createMailedKey();
    const channel = await runs.track(key.id, 1000);
    await muteCreator(service, key.id, channel);
    runs.platform.show(channel, runs.next, 1125);
    await runs.run(runs.next);
    const [alert] = await service.db.select().from(alerts).where(eq(alerts.keyId, key.id));
    const kinds = await service.db
      .select({ destination: deliveries.destination })
      .from(deliveries)
      .where(eq(deliveries.alertId, alert?.id ?? ""));
    expect(kinds).toEqual([{ destination: "monitoring" }]);
  });

  it("refuses a creator that the key does not know, and deletes mutes with the key", async () => {
    const { key } = await runs.createMailedKey();
    const { channel } = await createAlert(key.id);
    const otherKey = await createKey(service);
    for (const unknown of [channel, createChannelId(999)])
      await expect(muteCreator(service, otherKey.id, unknown)).rejects.toMatchObject({ code: "not_tracked" });
    await untrackCreator(service, key.id, channel);
    await muteCreator(service, key.id, channel);
    await deleteKey(service, key.id);
    expect(await listMutedCreators(service, key.id)).toEqual([]);
  });

  it("mutes, lists and unmutes by the API, for this key alone", async () => {
    const { key } = await runs.createMailedKey();
    const { channel } = await createAlert(key.id);
    const other = await createKey(service);
    await runs.track(other.id, 1000);
    installContext(service);
    const mutes = "/api/alerts/mutes";
    const call = (method: "GET" | "POST" | "DELETE", path: string, body?: object, { secret } = key) =>
      send(path, { key: secret, method, body });
    for (const _ of [1, 2])
      expect((await call("POST", mutes, { channel_id: channel })).body).toMatchObject({
        channel_id: channel,
        is_muted: true,
      });
    expect((await call("GET", mutes)).body).toMatchObject({
      pagination: { total: 1, offset: 0, limit: 20, has_more: false },
      creators: [{ channel_id: channel, muted_at: service.clock.now().toISOString() }],
    });
    expect((await call("POST", mutes, { channel_id: channel }, other)).status).toBe(404);
    expect((await call("GET", mutes, undefined, other)).body.pagination.total).toBe(0);
    await call("DELETE", `${mutes}/${channel}`, undefined, other);
    expect((await call("GET", `${mutes}?offset=1`)).body).toMatchObject({ pagination: { total: 1 }, creators: [] });
    for (const _ of [1, 2])
      expect((await call("DELETE", `${mutes}/${channel}`)).body).toMatchObject({
        channel_id: channel,
        is_muted: false,
      });
    expect((await call("GET", mutes)).body.creators).toEqual([]);
    expect((await call("DELETE", `${mutes}/@nobody.here`)).status).toBe(404);
    expect((await call("POST", mutes, { channel_id: "@nobody.here" })).status).toBe(404);
  });

  it("mutes by the link in the email, by POST alone and any number of times", async () => {
    const { key } = await runs.createMailedKey();
    const { alertId, channel } = await createAlert(key.id);
    await deliverAll();
    const text = (await deliveryOf(alertId))?.mail?.text ?? "";
    const token = /\/mute\?token=([\w.-]+)/.exec(text)?.[1] ?? "";
    expect(token).toBe(createMuteToken(service, key.id, channel));
    expect(await findCreatorToMute(service, token)).not.toBeNull();
    expect((await followLink(muteRoute, token)).status).toBe(303);
    expect(await listMutedCreators(service, key.id)).toEqual([]);
    for (const _ of [1, 2]) expect((await post(muteRoute, token)).status).toBe(200);
    expect(await listMutedCreators(service, key.id)).toHaveLength(1);
  });

  it("refuses a link that is forged or signed for something else", async () => {
    const { key, email } = await runs.createMailedKey();
    const { channel } = await createAlert(key.id);
    const [body] = createMuteToken(service, key.id, channel).split(".");
    const forged = [
      "",
      "nonsense",
      `${body}.AAAA`,
      service.links.sign("unsubscribe", [key.id, email]),
      service.links.sign("mute", ["key_unknown", channel]),
    ];
    for (const token of forged) expect((await post(muteRoute, token)).status).toBe(400);
    expect(await listMutedCreators(service, key.id)).toEqual([]);
  });
});
