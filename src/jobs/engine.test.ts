import { AsyncLocalStorage } from "node:async_hooks";
import { cron } from "inngest";
import { afterEach, describe, expect, it, vi } from "vitest";
import { OperatorError } from "@/core/errors";
import { DAY, SECOND, sleep, systemClock, toDate } from "@/core/time";
import { createBench, createBenchOn, SIGNING_KEY } from "@/test/job-bench";
import { createSignedRequest } from "./protocol";

afterEach(() => void vi.useRealTimers());

describe("event id", () => {
  it("is accepted once in 24 hours by the engine's clock, and again afterwards", async () => {
    const { inngest, register, drain, clock } = createBench();
    const ran: string[] = [];
    await register(
      inngest.createFunction({ id: "once", triggers: { event: "go" } }, () => {
        ran.push(clock.now().toISOString());
      }),
    );
    const send = async () => {
      const { ids } = await inngest.send({ id: "go:2026-03-01", name: "go" });
      expect(ids).toEqual(["go:2026-03-01"]);
      await drain();
    };
    await send();
    await send();
    clock.advance(DAY - 1);
    await send();
    clock.advance(1);
    await send();
    expect(ran).toEqual(["2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z"]);
  });
});

describe("served handler", () => {
  it("answers 401 to a caller without the key", async () => {
    const { inngest, register } = createBench();
    const fn = inngest.createFunction({ id: "fn", triggers: { event: "go" } }, () => "secret");
    const { POST, PUT } = await register(fn);
    const unsigned = new Request("http://localhost/api/inngest?fnId=app-fn&stepId=step", {
      method: "POST",
      body: "{}",
    });
    expect((await POST(unsigned)).status).toBe(401);
    expect((await POST(createSignedRequest("POST", {}, "signkey-local-ffff", "?fnId=app-fn"))).status).toBe(401);
    expect((await PUT(createSignedRequest("PUT", {}, "signkey-local-ffff"))).status).toBe(401);
    expect((await POST(createSignedRequest("POST", {}, SIGNING_KEY, "?fnId=app-fn"))).status).not.toBe(401);
  });
});

describe("registration of functions", () => {
  const { inngest } = createBench();
  const run = () => {};
  const triggers = { event: "go" };
  const refused = {
    cancel: inngest.createFunction({ id: "fn", triggers, cancelOn: [{ event: "x" }] }, run),
    batchEvents: inngest.createFunction({ id: "fn", triggers, batchEvents: { maxSize: 2, timeout: "1s" } }, run),
    debounce: inngest.createFunction({ id: "fn", triggers, debounce: { period: "1s" } }, run),
    rateLimit: inngest.createFunction({ id: "fn", triggers, rateLimit: { limit: 1, period: "1s" } }, run),
    priority: inngest.createFunction({ id: "fn", triggers, priority: { run: "1" } }, run),
    idempotency: inngest.createFunction({ id: "fn", triggers, idempotency: "event.data.x" }, run),
    timeouts: inngest.createFunction({ id: "fn", triggers, timeouts: { start: "1s" } }, run),
    "`if`": inngest.createFunction({ id: "fn", triggers: { event: "go", if: "event.data.x == 1" } }, run),
    singleton: inngest.createFunction({ id: "fn", triggers, singleton: { mode: "skip" } }, run),
    throttle: inngest.createFunction({ id: "fn", triggers, throttle: { limit: 1, period: "1s", burst: 2 } }, run),
    concurrency: inngest.createFunction({ id: "fn", triggers, concurrency: { limit: 1, key: "event.x" } }, run),
    "TZ=Europe/Berlin": inngest.createFunction({ id: "fn", triggers: cron("TZ=Europe/Berlin 0 6 * * *") }, run),
    jitter: inngest.createFunction({ id: "fn", triggers: { ...cron("0 6 * * *"), jitter: "30s" } }, run),
  };

  it.each(Object.entries(refused))("refuses %s and names it", async (name, fn) => {
    const { register } = createBench();
    const refusal = await register(fn).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(OperatorError);
    expect(String(refusal)).toContain(name);
  });

  it("is allowed only once", async () => {
    const bench = createBench();
    const fn = bench.inngest.createFunction({ id: "fn", triggers }, run);
    await bench.register(fn);
    await expect(bench.register(fn)).rejects.toThrow("registered already");
  });

  it("fails when the client does not use the engine", async () => {
    const { engine } = createBench();
    const answer = async () => Response.json({ message: "Successfully registered" });
    await expect(engine.register({ POST: answer, PUT: answer })).rejects.toThrow(OperatorError);
  });
});

describe("schedule", () => {
  it("fires once at 06:00 UTC while the engine is live, with that instant in the event", async () => {
    vi.useFakeTimers({
      now: toDate("2026-03-01T05:58:30Z"),
      toFake: ["setTimeout", "clearTimeout", "Date"],
    });
    const { engine, inngest, register } = createBenchOn({ clock: systemClock });
    const fired: string[] = [];
    await register(
      inngest.createFunction({ id: "daily", triggers: cron("TZ=UTC 0 6 * * *") }, ({ event }) => {
        fired.push(Reflect.get(event.data, "scheduledAt"));
      }),
    );
    engine.start();
    await vi.advanceTimersByTimeAsync(89 * SECOND);
    expect(fired).toEqual([]);
    await vi.advanceTimersByTimeAsync(600 * SECOND);
    await vi.waitFor(() => expect(fired).toEqual(["2026-03-01T06:00:00.000Z"]));
    await engine.stop();
    expect(fired).toHaveLength(1);
  });

  it("can be fired by hand once per instant, and is not fired by a drain before the start", async () => {
    const { engine, inngest, register, drain } = createBench();
    const fired: unknown[] = [];
    await register(
      inngest.createFunction({ id: "daily", triggers: cron("0 6 * * *") }, ({ event }) => void fired.push(event.data)),
    );
    await drain();
    expect(fired).toEqual([]);
    for (let time = 0; time < 2; time++) engine.fireCron("app-daily", toDate("2026-03-01T06:00:00Z"));
    await drain();
    expect(fired).toEqual([
      { cron: "0 6 * * *", scheduledAt: "2026-03-01T06:00:00.000Z", fireAt: "2026-03-01T00:00:00.000Z" },
    ]);
    expect(() => engine.fireCron("app-other", systemClock.now())).toThrow(OperatorError);
  });
});

describe("engine on the system clock", () => {
  function createGate() {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  }

  it("stop waits for running requests and starts no more", async () => {
    const { engine, inngest, register } = createBenchOn({ clock: systemClock, maxParallel: 1 });
    const { open, opened } = createGate();
    const begun = createGate();
    const ended: number[] = [];
    await register(
      inngest.createFunction({ id: "slow", triggers: { event: "go" } }, async ({ event }) => {
        begun.open();
        await opened;
        ended.push(event.data.index);
      }),
    );
    engine.start();
    await inngest.send([0, 1].map((index) => ({ name: "go", data: { index } })));
    await begun.opened;
    let stopped = false;
    const stop = engine.stop().then(() => {
      stopped = true;
    });
    await sleep(5);
    expect(stopped).toBe(false);
    open();
    await stop;
    expect(ended).toEqual([0]);
  });

  it("jobs do not inherit the context of the request that sent their event", async () => {
    const { engine, inngest, register } = createBenchOn({ clock: systemClock });
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    await register(
      inngest.createFunction({ id: "fn", triggers: { event: "go" } }, () => {
        contexts.push(request.getStore());
      }),
    );
    engine.start();
    await request.run("a web request", () => inngest.send({ name: "go" }));
    await engine.idle();
    await engine.stop();
    expect(contexts).toEqual([undefined]);
  });

  it("idle runs all jobs and waits for those that are due later", async () => {
    const { engine, inngest, register } = createBenchOn({ clock: systemClock });
    const ran: number[] = [];
    const throttle = { limit: 100, period: "1s" } as const;
    await register(
      inngest.createFunction({ id: "fn", triggers: { event: "go" }, throttle }, ({ event }) => {
        ran.push(event.data.index);
      }),
    );
    await inngest.send([0, 1, 2].map((index) => ({ name: "go", data: { index } })));
    await engine.idle();
    expect(ran).toEqual([0, 1, 2]);
  });

  it.each([110, 140, 170, 200, 230, 260])(
    "idle runs jobs that become due meanwhile, on a clock that advances by %i ms",
    async (step) => {
      let at = 0;
      const now = () => {
        at += step;
        return toDate(at);
      };
      const { engine, inngest, register } = createBenchOn({ clock: { now } });
      const ran: number[] = [];
      const throttle = { limit: 2, period: "1s" } as const;
      await register(
        inngest.createFunction({ id: "fn", triggers: { event: "go" }, throttle }, ({ event }) => {
          ran.push(event.data.index);
        }),
      );
      await inngest.send([0, 1, 2, 3].map((index) => ({ name: "go", data: { index } })));
      await engine.idle();
      expect(ran).toEqual([0, 1, 2, 3]);
    },
  );
});
