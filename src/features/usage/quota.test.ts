import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR } from "@/core/time";
import { dailyUsage } from "@/db/schema";
import { rotateKey } from "@/features/keys/rotation.service";
import { hashKey } from "@/features/keys/rules";
import { deleteKey, revokeKey } from "@/features/keys/service";
import { createKey, TEST_START, useService } from "@/test/service";
import { useRedis } from "@/test/upstash";
import { createPostgresQuota, type Quota } from "./quota.service";
import { UpstashQuota } from "./upstash.service";

describe("daily quota", () => {
  const service = useService();
  const redis = useRedis();

  // The Redis limiter goes by the machine's clock.
  beforeEach(() => {
    service.clock.set(TEST_START);
    vi.useFakeTimers({ toFake: ["Date"], now: service.clock.now() });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function moveTo(instant: string): void {
    service.clock.set(instant);
    vi.setSystemTime(service.clock.now());
  }

  const QUOTAS: [string, () => Quota][] = [
    ["PostgreSQL", () => createPostgresQuota(service)],
    ["Upstash", () => new UpstashQuota({ ...redis, timeoutMs: 20_000 }, service)],
  ];

  describe.each(QUOTAS)("quota in %s", (_, open) => {
    const listUsageRows = (id: string) =>
      service.db.select().from(dailyUsage).where(eq(dailyUsage.keyId, id)).orderBy(dailyUsage.day);

    it("grants exactly 50 of 200 concurrent requests with a limit of 50", async () => {
      const quota = open();
      const { id } = await createKey(service);
      const answers = await Promise.all(Array.from({ length: 200 }, () => quota.take(id, 50)));
      const granted = answers.filter((answer) => answer.granted).map(({ used }) => used);
      expect(granted.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      expect(answers.filter((answer) => !answer.granted).every(({ used }) => used === 50)).toBe(true);
      await quota.flush();
      expect(await listUsageRows(id)).toMatchObject([{ requests: 50, day: "2026-03-10" }]);
    });

    it("finds a key by its secret and grants exactly the limit of its tier", async () => {
      const quota = open();
      const { id, secret } = await createKey(service);
      const answers = await Promise.all(Array.from({ length: 60 }, () => quota.admit(hashKey(secret))));
      expect(answers.filter(({ granted }) => granted)).toHaveLength(50);
      expect(answers.every(({ keyId, tier }) => keyId === id && tier === "free")).toBe(true);
      expect(await quota.getUsed(id)).toBe(50);
      await revokeKey(service, id);
      for (const hash of [hashKey(secret), hashKey("another")])
        await expect(quota.admit(hash)).rejects.toMatchObject({ code: "unauthorized" });
    });

    it("counts both secrets of a rotation together, and refuses the old one after the overlap", async () => {
      const quota = open();
      const { id, secret } = await createKey(service);
      const { secret: next } = await rotateKey(service, id, HOUR);
      const hashes = Array.from({ length: 60 }, (_, index) => hashKey(index % 2 ? next : secret));
      const answers = await Promise.all(hashes.map((hash) => quota.admit(hash)));
      expect(answers.filter(({ granted }) => granted)).toHaveLength(50);
      expect(await quota.getUsed(id)).toBe(50);
      moveTo(new Date(service.clock.now().getTime() + HOUR).toISOString());
      await expect(open().admit(hashKey(secret))).rejects.toMatchObject({ code: "unauthorized" });
      expect(await open().admit(hashKey(next))).toMatchObject({ keyId: id, granted: false });
    });

    it("does not count refused requests: a raised limit can be used in full", async () => {
      const quota = open();
      const { id } = await createKey(service);
      await Promise.all(Array.from({ length: 100 }, () => quota.take(id, 5)));
      for (let call = 0; call < 10; call++) await quota.take(id, 5);
      const answers = await Promise.all(Array.from({ length: 100 }, () => quota.take(id, 50)));
      expect(answers.filter(({ granted }) => granted)).toHaveLength(45);
      expect(await quota.getUsed(id)).toBe(50);
    });

    it("resets at midnight UTC, to the millisecond", async () => {
      const quota = open();
      const { id } = await createKey(service);
      moveTo("2026-03-11T23:59:59.999Z");
      expect(await quota.take(id, 1)).toEqual({ granted: true, used: 1 });
      expect(await quota.take(id, 1)).toEqual({ granted: false, used: 1 });
      moveTo("2026-03-12T00:00:00.000Z");
      expect(await quota.getUsed(id)).toBe(0);
      expect(await quota.take(id, 1)).toEqual({ granted: true, used: 1 });
      await quota.flush();
      expect(await listUsageRows(id)).toMatchObject([{ day: "2026-03-11" }, { day: "2026-03-12" }]);
    });

    it("keeps the day's count when the limit changes", async () => {
      const quota = open();
      const { id } = await createKey(service);
      for (let call = 0; call < 8; call++) await quota.take(id, 5);
      expect(await quota.take(id, 10)).toEqual({ granted: true, used: 6 });
      expect(await quota.take(id, 5)).toEqual({ granted: false, used: 6 });
      expect(await quota.take(id, 10)).toEqual({ granted: true, used: 7 });
    });

    it("returns the count without counting, and stores the time of the last request", async () => {
      const quota = open();
      const { id } = await createKey(service);
      expect(await quota.getUsed(id)).toBe(0);
      for (let call = 0; call < 3; call++) await quota.take(id, 5);
      expect([await quota.getUsed(id), await quota.getUsed(id)]).toEqual([3, 3]);
      expect(await listUsageRows(id)).toMatchObject([{ requests: 3, lastRequestAt: service.clock.now() }]);
    });

    it("counts each key separately", async () => {
      const quota = open();
      const [one, other] = [await createKey(service), await createKey(service)];
      await quota.take(one.id, 1);
      expect(await quota.take(one.id, 1)).toEqual({ granted: false, used: 1 });
      expect(await quota.take(other.id, 1)).toEqual({ granted: true, used: 1 });
    });

    it("refuses a key that was deleted after it was found", async () => {
      const quota = open();
      const { id } = await createKey(service);
      await deleteKey(service, id);
      await expect(quota.take(id, 5)).rejects.toMatchObject({ code: "unauthorized" });
      await expect(quota.getUsed(id)).rejects.toMatchObject({ code: "unauthorized" });
    });
  });
});
