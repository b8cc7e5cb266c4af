import { describe, expect, it } from "vitest";
import { sleep, toDate } from "@/core/time";
import { createBench } from "@/test/job-bench";
import { getRetryTime } from "./queue";

const createParts = (count: number) => Array.from({ length: count }, (_, index) => ({ name: "go", data: { index } }));

describe("throttle", () => {
  it("spaces run starts exactly, in the order of their events", async () => {
    const { inngest, register, drain, seconds } = createBench();
    const starts: [number, number][] = [];
    const throttle = { limit: 2, period: "1s" } as const;
    await register(
      inngest.createFunction({ id: "slow", triggers: { event: "go" }, throttle }, ({ event }) => {
        starts.push([event.data.index, seconds()]);
      }),
    );
    await inngest.send(createParts(5));
    await drain();
    expect(starts).toEqual([
      [0, 0],
      [1, 0.5],
      [2, 1],
      [3, 1.5],
      [4, 2],
    ]);
  });

  it("never delays retries", async () => {
    const { inngest, register, drain, seconds } = createBench();
    const starts: number[] = [];
    const throttle = { limit: 2, period: "1s" } as const;
    await register(
      inngest.createFunction({ id: "slow", triggers: { event: "go" }, throttle }, ({ event, attempt }) => {
        starts.push(seconds());
        if (event.data.index === 0 && attempt === 0) throw new Error("again");
      }),
    );
    await inngest.send(createParts(31));
    await drain();
    expect(starts).toEqual(Array.from({ length: 31 }, (_, at) => at / 2).concat(15));
  });
});

describe("concurrency", () => {
  /** Work that waits until the expected number of it runs at once, and counts the most that do. */
  function measureConcurrency(expected: number) {
    let now = 0;
    let max = 0;
    let all = 0;
    let begin = () => {};
    const together = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const work = async () => {
      all += 1;
      max = Math.max(max, ++now);
      if (now === expected) begin();
      await together;
      await sleep(2);
      now -= 1;
    };
    return { work, seen: () => ({ most: max, all }) };
  }

  it("never exceeds the engine's own limit", async () => {
    const { inngest, register, drain } = createBench({ maxParallel: 3 });
    const { work, seen } = measureConcurrency(3);
    await register(
      inngest.createFunction({ id: "one", triggers: { event: "go" } }, work),
      inngest.createFunction({ id: "two", triggers: { event: "go" } }, work),
    );
    await inngest.send(createParts(10));
    await drain();
    expect(seen()).toEqual({ most: 3, all: 20 });
  });

  it("never exceeds a function's limit", async () => {
    const { inngest, register, drain } = createBench({ maxParallel: 10 });
    const { work, seen } = measureConcurrency(2);
    await register(inngest.createFunction({ id: "work", triggers: { event: "go" }, concurrency: 2 }, work));
    await inngest.send(createParts(20));
    await drain();
    expect(seen()).toEqual({ most: 2, all: 20 });
  });

  it("leaves capacity for other functions, however many runs of one wait", async () => {
    const { inngest, register, drain } = createBench({ maxParallel: 3 });
    const begun: string[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const hold = async () => {
      begun.push("hold");
      await ended;
    };
    await register(
      inngest.createFunction({ id: "hold", triggers: { event: "go" } }, hold),
      inngest.createFunction({ id: "other", triggers: { event: "other" } }, async () => {
        begun.push("other");
        end();
      }),
    );
    await inngest.send(createParts(5));
    await inngest.send({ name: "other", data: {} });
    await drain();
    expect(begun.slice(0, 3)).toEqual(["hold", "hold", "other"]);
  });
});

describe("Retry-After", () => {
  const now = toDate("2026-03-01T00:00:00Z");
  it.each([
    ["30", "2026-03-01T00:00:30.000Z"],
    ["0", "2026-03-01T00:00:01.000Z"],
    ["9999999", "2026-03-02T00:00:00.000Z"],
    ["2026-03-01T07:00:00.000Z", "2026-03-01T07:00:00.000Z"],
    ["Sun, 01 Mar 2026 07:00:00 GMT", "2026-03-01T07:00:00.000Z"],
    ["2025-01-01T00:00:00.000Z", "2026-03-01T00:00:01.000Z"],
    ["soon", "2026-03-01T00:00:15.000Z"],
  ])("ends the wait of %s at %s", (retryAfter, at) => {
    expect(getRetryTime(now, 0, retryAfter).toISOString()).toBe(at);
  });
});
