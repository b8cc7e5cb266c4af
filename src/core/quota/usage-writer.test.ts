import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { connect } from "@/core/db/client";
import { createUpstashQuota } from "@/core/quota/upstash";
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
    const quota = createUpstashQuota({ ...redis, timeoutMs: PATIENCE_MS }, { ...service, db });
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
    await createUpstashQuota({ ...redis, timeoutMs: PATIENCE_MS }, service).take(id, 50);
    vi.unstubAllGlobals();
    await Promise.all(waitUntil.mock.calls.map(([work]) => work));
    expect(await inPostgres(id)).toBe(1);
  });

  it("writes with the next request what the database refused", async () => {
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
