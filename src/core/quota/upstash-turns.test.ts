import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "@/core/db/client";
import type { Quota } from "@/core/quota/quota";
import { SECOND, utcDay } from "@/core/time";
import { createKey } from "@/test/service";
import { PATIENCE_MS, useUpstash } from "@/test/upstash";

const LIMIT = 500;
/** How long usage is collected before it is written, and how long a turn lasts at most. */
const COLLECTING_MS = 20;
const LONGEST_TURN_MS = 3 * SECOND;

describe("the turns of a key in Upstash", () => {
  const { service, redis, open, takeMany, inRedis, inPostgres, written } = useUpstash();
  let own: ReturnType<typeof connect>;

  beforeEach(() => {
    // Connections of its own, as what waits there is sent behind what is slow.
    own = connect(service.databaseUrl);
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    await own.close();
  });

  /** Keeps what is to happen after so many milliseconds from happening by itself. */
  function hold(milliseconds: number): (() => void)[] {
    const { setTimeout } = globalThis;
    const held: (() => void)[] = [];
    vi.stubGlobal("setTimeout", (work: () => void, after: number) => {
      if (after === milliseconds) return void held.push(work);
      return setTimeout(work, after);
    });
    return held;
  }

  /** Does something while PostgreSQL is slow to take usage from Redis. */
  const whileSlow = (work: () => Promise<void>) =>
    service.db.transaction(async (tx) => {
      await tx.execute(sql`lock table usage_writers in exclusive mode`);
      await work();
    });
  const someoneWaits = () =>
    expect
      .poll(
        () =>
          service.db.execute(
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        { timeout: 20_000 },
      )
      .toHaveLength(1);

  it.each([0, 1])(
    "let an instance whose usage is slow to be written grant five, however many ask at once, and that was told %d long ago",
    async (told) => {
      hold(LONGEST_TURN_MS);
      const { id } = await createKey(service);
      const [near, far, other] = [open(PATIENCE_MS, service.clock, own.db), open(), open()];
      expect(await takeMany(near, id, told, LIMIT)).toBe(told);
      expect(await takeMany(other, id, 150 - told, LIMIT)).toBe(150 - told);
      await written();
      await redis.fail("refuses connections");
      expect(await takeMany(far, id, 1, LIMIT)).toBe(1);
      await redis.recover();
      const counted = { day: utcDay(service.clock.now()), requests: 151 };
      let slow: ReturnType<Quota["take"]>[] = [];
      await whileSlow(async () => {
        slow = Array.from({ length: 40 }, () => near.take(id, LIMIT, counted));
        await someoneWaits();
        expect(await takeMany(far, id, LIMIT, LIMIT)).toBe(LIMIT - 151);
      });
      const granted = (await Promise.all(slow)).filter((answer) => answer.granted);
      expect(granted).toHaveLength(5);
    },
  );

  it("end where it takes long until usage is written", async () => {
    const late = hold(LONGEST_TURN_MS);
    const { id } = await createKey(service);
    const quota = open(PATIENCE_MS, service.clock, own.db);
    await quota.take(id, LIMIT);
    await written();
    late.splice(0);
    await whileSlow(async () => {
      expect(await takeMany(quota, id, 5, LIMIT)).toBe(5);
      const sixth = quota.take(id, LIMIT);
      await someoneWaits();
      expect(await inRedis(id)).toBe(6);
      expect(late).toHaveLength(5);
      late[0]?.();
      expect(await sixth).toEqual({ granted: true, used: 7 });
    });
    await quota.flush();
    expect(await inPostgres(id)).toBe(7);
  });

  it("are given back by whoever asks for a key that is gone", async () => {
    const quota = open();
    for (let time = 0; time < 6; time++)
      await expect(quota.take("key_gone", LIMIT)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("do not wait for more usage to be written with it once all are taken", async () => {
    hold(COLLECTING_MS);
    const { id } = await createKey(service);
    const quota = open();
    expect(await takeMany(quota, id, 12, LIMIT)).toBe(12);
    expect(await inPostgres(id)).toBeGreaterThanOrEqual(5);
    await quota.flush();
    expect(await inPostgres(id)).toBe(12);
  });
});
