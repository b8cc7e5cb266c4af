import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { dailyUsage } from "@/core/db/schema";
import { useInterruptible } from "@/test/interruptible";
import { createKey } from "@/test/service";
import { PATIENCE_MS, useUpstash } from "@/test/upstash";

describe("quota in Upstash over midnight", () => {
  const { service, redis, open, takeMany, moveTo, written } = useUpstash();
  const interrupted = useInterruptible(() => service.databaseUrl);

  it("grants a spent key no request of the day before while midnight passes", async () => {
    const { id } = await createKey(service);
    expect(await takeMany(open(), id, 50)).toBe(50);
    await written();
    moveTo("2026-03-10T23:59:59.999Z");
    redis.onCall((call) => {
      if (!call.includes("PX")) return undefined;
      moveTo("2026-03-11T00:00:00.001Z");
      return undefined;
    });
    // Of an instance that has to tell Redis first what was counted.
    expect(await open().take(id, 50)).toEqual({ granted: true, used: 1 });
    await written();
    const days = await service.db
      .select()
      .from(dailyUsage)
      .where(eq(dailyUsage.keyId, id))
      .orderBy(dailyUsage.day);
    expect(days.map(({ day, requests }) => [day, requests])).toEqual([
      ["2026-03-10", 50],
      ["2026-03-11", 1],
    ]);
  });

  it("grants a day no more than its limit while midnight passes, by however many instances", async () => {
    const { id } = await createKey(service);
    const [early, other] = [open(), open()];
    moveTo("2026-03-10T23:59:59.999Z");
    let meanwhile = Promise.resolve(0);
    redis.onCall((call) => {
      if (service.clock.now().getUTCDate() === 11 || !call.includes(id)) return undefined;
      moveTo("2026-03-11T00:00:00.001Z");
      meanwhile = takeMany(other, id, 30);
      return undefined;
    });
    const granted = await takeMany(early, id, 10);
    const later = await takeMany(other, id, 30);
    expect(granted + (await meanwhile) + later).toBe(50);
    expect(await other.used(id)).toBe(50);
  });

  it("grants a day no more than its limit where midnight overtakes a request before it asks Redis", async () => {
    const { id } = await createKey(service);
    moveTo("2026-03-10T23:59:59.999Z");
    const [other, overtaken] = [open(), open(PATIENCE_MS, service.clock, interrupted.db)];
    const midnight = async () => {
      moveTo("2026-03-11T00:00:00.001Z");
      expect(await takeMany(other, id, 49)).toBe(49);
      await written();
    };
    let granted = 0;
    // The first it asks of PostgreSQL is what it has of the day that is just ending.
    await interrupted.interrupt({ 1: midnight }, async () => {
      granted = await takeMany(overtaken, id, 2);
    });
    expect(granted).toBe(1);
    expect(await takeMany(other, id, 2)).toBe(0);
    expect(await other.used(id)).toBe(50);
  });
});
