import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { addDays, HOUR, MINUTE, SECOND, startOfDay, toDate } from "@/core/time";
import { alerts, deliveries } from "@/db/schema";
import { useDeliveries } from "@/test/deliveries";
import { deliver, sweepStranded } from "./deliveries.service";

describe("delivery jobs", () => {
  const { runs, getDelivery: deliveryOf, setDelivery, listTries: triesFor, deliverAll, sweep } = useDeliveries();
  const { service } = runs;

  describe("sweep", () => {
    it.each([
      ["takes up", "waited for ten minutes", "pending", 10 * MINUTE, "sent"],
      ["leaves", "waited for less", "pending", 10 * MINUTE - 1, "pending"],
      ["takes up", "was begun over five minutes ago by a process that died", "sending", 5 * MINUTE + 1, "sent"],
      ["leaves", "was begun five minutes ago and may be under way", "sending", 5 * MINUTE, "sending"],
    ] as const)("%s a delivery that %s", async (_, __, status, idleFor, becomes) => {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      const tried = toDate(service.clock.now().getTime() - idleFor);
      await setDelivery(alertId, { status, createdAt: tried, outcomeUnknownSince: tried, triedAt: tried });
      await sweep();
      for (const destination of ["email", "monitoring"] as const)
        expect(await deliveryOf(alertId, destination)).toMatchObject({ status: becomes });
    });

    it("leaves a delivery that failed six times to its job for an hour", async () => {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      await setDelivery(alertId, { attempts: 6, triedAt: service.clock.now() });
      service.clock.advance(HOUR - 1);
      await sweep();
      expect(await deliveryOf(alertId)).toMatchObject({ status: "pending" });
      service.clock.advance(1);
      await sweep();
      expect(await deliveryOf(alertId)).toMatchObject({ status: "sent" });
    });

    it.each([
      ["was cut off", "sending"],
      ["failed without a clear answer", "pending"],
    ] as const)("closes a delivery as unknown after 23 hours in doubt when its last try %s", async (_, status) => {
      const { key } = await runs.createMailedKey();
      const alertId = await runs.makeAlert(key.id);
      const begun = toDate(service.clock.now().getTime() - 23 * HOUR - 1);
      await setDelivery(alertId, { status, outcomeUnknownSince: begun, triedAt: begun });
      await sweep();
      expect(await deliveryOf(alertId)).toMatchObject({ status: "unknown" });
      expect(triesFor(alertId)).toEqual([]);
    });

    it("takes up at most half of a destination's capacity until the next sweep, oldest first", async () => {
      const { key } = await runs.createMailedKey();
      const channelId = await runs.track(key.id, 1000);
      const day = (index: number) => addDays("2020-01-01", index);
      const counts = { subscribersBefore: 1000, subscribersAfter: 1200, severity: "RISING FAST" as const };
      const made = await service.db
        .insert(alerts)
        .values(
          Array.from({ length: 301 }, (_, index) => {
            const createdAt = startOfDay(day(index));
            return { keyId: key.id, channelId, day: day(index), ...counts, message: "grew", createdAt };
          }),
        )
        .returning({ alertId: alerts.id, createdAt: alerts.createdAt });
      await service.db.insert(deliveries).values(
        made.map((row) => ({
          ...row,
          destination: "monitoring" as const,
          status: "pending" as const,
          attempts: 0,
        })),
      );
      const swept = await sweepStranded(service);
      expect(swept).toEqual(made.slice(0, 300).map(({ alertId }) => ({ alertId, destination: "monitoring" })));
      const rest = await sweepStranded(service);
      expect(rest.map(({ alertId }) => alertId)).toEqual([made.at(-1)?.alertId]);
      await service.db.delete(alerts).where(eq(alerts.keyId, key.id));
    });

    it("takes up an alert whose event was sent within the last 24 hours", async () => {
      const { key } = await runs.createMailedKey();
      const id = await runs.track(key.id, 1000);
      runs.platform.show(id, runs.next, 2000);
      await runs.run(runs.next);
      const [made] = await service.db.select().from(alerts).where(eq(alerts.keyId, key.id));
      await setDelivery(made?.id ?? "", { status: "pending" });
      service.clock.advance(HOUR);
      await sweep();
      expect(triesFor(made?.id ?? "")).toHaveLength(2);
    });
  });

  it("takes up a delivery that was cut off as soon as its lease ends, without the sweep", async () => {
    const { key } = await runs.createMailedKey();
    const alertId = await runs.makeAlert(key.id);
    const cutOff = service.clock.now();
    await setDelivery(alertId, { status: "sending", triedAt: cutOff, outcomeUnknownSince: cutOff, attempts: 1 });
    service.clock.advance(MINUTE);
    await deliverAll();
    const [attempt, ...others] = triesFor(alertId);
    expect(others).toEqual([]);
    const waited = (attempt?.at.getTime() ?? 0) - cutOff.getTime();
    expect(waited).toBeGreaterThan(5 * MINUTE);
    expect(waited).toBeLessThanOrEqual(5 * MINUTE + 5 * SECOND);
    expect(await deliveryOf(alertId)).toMatchObject({ status: "sent" });
  });

  describe("email and monitoring", () => {
    const ALERTS = 10;

    it.each(["mailService", "channel"] as const)("keeps delivering while the %s hangs", async (hanging) => {
      const { key, email } = await runs.createMailedKey();
      for (let made = 0; made < ALERTS; made++) await runs.makeAlert(key.id);
      const postsBefore = runs.channel.posts.length;
      const countPosts = () => runs.channel.posts.length - postsBefore;
      const countMails = () => runs.mailService.accepted.filter(({ to }) => to === email).length;
      const reached = hanging === "channel" ? countMails : countPosts;
      const release = runs[hanging].hang();
      await service.catchUp();
      const working: Promise<void>[] = [];
      try {
        for (let delivered = 1; delivered <= ALERTS; delivered++) {
          working.push(service.drain());
          await vi.waitFor(() => expect(reached()).toBe(delivered), { interval: 5, timeout: 20_000 });
          service.clock.advance(SECOND);
        }
      } finally {
        release();
        await Promise.all(working);
      }
      expect([countMails(), countPosts()]).toEqual([ALERTS, ALERTS]);
    });

    it("sends an email without waiting for deliveries that only monitoring has left", async () => {
      const { key, email } = await runs.createMailedKey();
      for (let made = 0; made < ALERTS; made++) await deliver(service, await runs.makeAlert(key.id), "email");
      const last = await runs.makeAlert(key.id);
      const { createdAt = service.clock.now() } = (await deliveryOf(last)) ?? {};
      // Created last, so that it is behind all others.
      await setDelivery(last, { createdAt: toDate(createdAt.getTime() + 1) });
      const begun = service.clock.now();
      await service.catchUp();
      await service.drain();
      expect(triesFor(last).map(({ at }) => at)).toEqual([begun]);
      expect(runs.mailService.accepted.filter(({ to }) => to === email)).toHaveLength(ALERTS + 1);
    });
  });
});
