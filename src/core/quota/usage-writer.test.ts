import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { connect } from "@/core/db/client";
import { createUpstashQuota } from "@/core/quota/upstash";
import { SECOND } from "@/core/time";
import { deleteKey } from "@/features/keys/service";
import { type Fate, useInterruptible } from "@/test/interruptible";
import { createKey } from "@/test/service";
import { PATIENCE_MS, useUpstash } from "@/test/upstash";

describe("usage that Redis counts", () => {
  const { service, redis, open, takeMany, inPostgres, written, logged } = useUpstash();
  const behind = useInterruptible(() => service.databaseUrl);

  it("has PostgreSQL know of the usage, and not on the way of the answer", async () => {
    const { id } = await createKey(service);
    const { db, close } = connect(service.databaseUrl);
    const quota = createUpstashQuota({ ...redis, giveUpMs: PATIENCE_MS }, { ...service, db });
    await takeMany(quota, id, 3);
    await quota.flush();
    expect(await inPostgres(id)).toBe(3);
    await close();
    expect(await quota.take(id, 50)).toEqual({ granted: true, used: 4 });
    await quota.flush();
  });

  it("asks a serverless host to wait for what is written after the answer", async () => {
    const { id } = await createKey(service);
    const symbol = Symbol.for("@vercel/request-context");
    const waitUntil = vi.fn<(work: Promise<unknown>) => void>();
    vi.stubGlobal(symbol as unknown as string, { get: () => ({ waitUntil }) });
    await createUpstashQuota({ ...redis, giveUpMs: PATIENCE_MS }, service).take(id, 50);
    vi.unstubAllGlobals();
    await Promise.all(waitUntil.mock.calls.map(([work]) => work));
    expect(await inPostgres(id)).toBe(1);
  });

  it("writes with the next batch what the database refused", async () => {
    const { id } = await createKey(service);
    const quota = open();
    await takeMany(quota, id, 2);
    await service.db.execute(sql`alter table daily_usage rename to away`);
    await quota.flush();
    await service.db.execute(sql`alter table away rename to daily_usage`);
    await takeMany(quota, id, 2);
    await quota.flush();
    expect(await inPostgres(id)).toBe(4);
  });

  /** Does something while PostgreSQL takes no usage from Redis. */
  async function whileRefused(work: () => Promise<void>): Promise<void> {
    await service.db.execute(
      sql`alter table usage_writers add constraint refused check (batch < 0) not valid`,
    );
    await work().finally(allow);
  }
  const allow = () => service.db.execute(sql`alter table usage_writers drop constraint if exists refused`);

  it("is written within seconds once it can be, also where nothing more is asked", async () => {
    const { id } = await createKey(service);
    const quota = open();
    const { setTimeout } = globalThis;
    const later: (() => void)[] = [];
    vi.stubGlobal("setTimeout", (work: () => void, after: number) => {
      if (after === 5 * SECOND) later.push(work);
      return setTimeout(work, after);
    });
    await whileRefused(async () => {
      await takeMany(quota, id, 3);
      await written();
    });
    vi.unstubAllGlobals();
    expect(await inPostgres(id)).toBe(0);
    expect(later).toHaveLength(1);
    for (const work of later) work();
    await vi.waitFor(async () => expect(await inPostgres(id)).toBe(3));
  });

  it("counts towards the limit where neither Redis answers nor PostgreSQL could be told of it", async () => {
    const { id } = await createKey(service);
    const quota = open();
    await takeMany(quota, id, 20);
    await quota.flush();
    await whileRefused(async () => {
      await takeMany(quota, id, 25);
      expect(await quota.used(id)).toBe(45);
      expect(await inPostgres(id)).toBe(20);
      await redis.fail("refuses connections");
      expect(await quota.take(id, 50)).toEqual({ granted: true, used: 46 });
      expect(await takeMany(quota, id, 20)).toBe(4);
      expect(await quota.take(id, 50)).toEqual({ granted: false, used: 50 });
    });
    expect(await quota.used(id)).toBe(50);
    expect(await inPostgres(id)).toBe(50);
  });

  it("counts towards the limit where nothing of the day could be told", async () => {
    const { id } = await createKey(service);
    const quota = open();
    await whileRefused(async () => {
      await takeMany(quota, id, 50);
      await redis.fail("refuses connections");
      expect(await quota.take(id, 50)).toEqual({ granted: false, used: 50 });
    });
    expect(await quota.used(id)).toBe(50);
  });

  it("is counted once where it is written while a request is counted in PostgreSQL", async () => {
    const { id } = await createKey(service);
    const quota = open(PATIENCE_MS, service.clock, behind.db);
    await takeMany(quota, id, 20);
    await quota.flush();
    await whileRefused(async () => {
      await takeMany(quota, id, 20);
      // Else a write of its own time would come between.
      await written();
      await redis.fail("refuses connections");
      // A write that fails, what it left, and the count.
      const recover = () => allow().then(() => quota.flush());
      const take = async () => expect(await quota.take(id, 50)).toEqual({ granted: true, used: 41 });
      expect(await behind.interrupt({ 3: recover }, take)).toBeGreaterThanOrEqual(3);
    });
    await quota.flush();
    expect(await inPostgres(id)).toBe(41);
  });

  it("is counted once where PostgreSQL has it and cannot say so", async () => {
    const { id } = await createKey(service);
    const quota = open(PATIENCE_MS, service.clock, behind.db);
    await takeMany(quota, id, 2);
    await quota.flush();
    await behind.breakAt(1, "is not answered", async () => {
      await takeMany(quota, id, 30);
      await written();
    });
    expect(logged()).toContain("usage could not be written");
    await whileRefused(async () => {
      expect(await quota.used(id)).toBe(32);
      await redis.fail("refuses connections");
      expect(await quota.take(id, 50)).toEqual({ granted: true, used: 33 });
    });
  });

  it.each<Fate>(["is lost", "is not answered"])(
    "counts once what %s where its connection breaks",
    async (fate) => {
      const { id } = await createKey(service);
      const quota = open(PATIENCE_MS, service.clock, behind.db);
      await takeMany(quota, id, 2);
      await quota.flush();
      await behind.breakAt(1, fate, async () => {
        await takeMany(quota, id, 3);
        await quota.flush();
      });
      expect(logged()).toContain("usage could not be written");
      await takeMany(quota, id, 4);
      await quota.flush();
      expect(await inPostgres(id)).toBe(9);
    },
  );

  it("forgets the usage of a key that is deleted before it is written, and writes that of the others", async () => {
    const [gone, other] = [await createKey(service), await createKey(service)];
    const quota = open();
    await Promise.all([quota.take(gone.id, 50), quota.take(other.id, 50)]);
    await Promise.all([deleteKey(service, gone.id), written()]);
    expect(logged()).toBe("");
    expect(await inPostgres(other.id)).toBe(1);
  });
});
