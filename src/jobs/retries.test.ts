import { type FailureEventArgs, NonRetriableError, RetryAfterError } from "inngest";
import { describe, expect, it } from "vitest";
import { toDate } from "@/core/time";
import { createBench } from "@/test/job-bench";

describe("failing step", () => {
  it("is retried after 15 s, 30 s, 1, 2, 5, 10, 20, 40 min, 1 h, 2 h, without repeating finished steps", async () => {
    const { inngest, register, drain, seconds } = createBench();
    const tries: number[] = [];
    let prepared = 0;
    await register(
      inngest.createFunction({ id: "stubborn", triggers: [{ event: "go" }], retries: 11 }, async ({ step }) => {
        await step.run("prepare", () => {
          prepared += 1;
        });
        await step.run("fail", () => {
          tries.push(seconds());
          if (tries.length < 12) throw new Error("not yet");
        });
      }),
    );
    await inngest.send({ name: "go" });
    await drain();
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits).toEqual([15, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200, 7200]);
    expect(prepared).toBe(1);
  });

  it("has its own attempts", async () => {
    const { inngest, register, drain } = createBench();
    const attempts: Record<string, number[]> = { a: [], b: [] };
    await register(
      inngest.createFunction({ id: "two", triggers: [{ event: "go" }], retries: 2 }, async ({ step, attempt }) => {
        for (const name of ["a", "b"]) {
          await step.run(name, () => {
            attempts[name]?.push(attempt);
            if (attempt < 2) throw new Error("not yet");
          });
        }
      }),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(attempts).toEqual({ a: [0, 1, 2], b: [0, 1, 2] });
  });

  it("waits as long as a RetryAfterError says: a duration, or a date on the engine's clock", async () => {
    const { inngest, register, drain, clock } = createBench();
    const tries: string[] = [];
    const waits = ["90s", toDate("2026-03-01T08:00:00Z")];
    await register(
      inngest.createFunction({ id: "polite", triggers: [{ event: "go" }] }, async ({ step }) => {
        await step.run("ask", () => {
          tries.push(clock.now().toISOString());
          const wait = waits[tries.length - 1];
          if (wait !== undefined) throw new RetryAfterError("quota used up", wait);
        });
      }),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(tries).toEqual(["2026-03-01T00:00:00.000Z", "2026-03-01T00:01:30.000Z", "2026-03-01T08:00:00.000Z"]);
  });

  it("is not retried after a NonRetriableError, which the function may catch", async () => {
    const { inngest, register, drain, seconds } = createBench();
    const caught: string[] = [];
    await register(
      inngest.createFunction({ id: "catcher", triggers: [{ event: "go" }] }, async ({ step }) => {
        try {
          await step.run("fail", () => {
            throw new NonRetriableError("gone");
          });
        } catch (error) {
          await step.run("report", () => caught.push(error instanceof Error ? error.message : ""));
        }
      }),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(caught).toEqual(["gone"]);
    expect(seconds()).toBe(0);
  });
});

describe("failing function", () => {
  it("ends after its last attempt and starts its onFailure handler once, with the event and the error", async () => {
    const { inngest, register, drain, seconds } = createBench();
    const tries: number[] = [];
    const failures: unknown[] = [];
    await register(
      inngest.createFunction(
        {
          id: "doomed",
          triggers: [{ event: "go" }],
          retries: 2,
          onFailure: ({ event, error }: FailureEventArgs) =>
            void failures.push([event.data.event.data.day, error.message, seconds()]),
        },
        async ({ step }) => {
          await step.run("fail", () => {
            tries.push(seconds());
            throw new Error("no way");
          });
        },
      ),
      inngest.createFunction(
        { id: "other", triggers: { event: "else" }, onFailure: () => void failures.push("other") },
        () => {},
      ),
    );
    await inngest.send({ name: "go", data: { day: "2026-03-01" } });
    await drain();
    expect(tries).toEqual([0, 15, 45]);
    expect(failures).toEqual([["2026-03-01", "no way", 45]]);
  });

  it("is retried with the same waits when it fails outside of steps", async () => {
    const { inngest, register, drain, seconds } = createBench();
    const tries: number[] = [];
    await register(
      inngest.createFunction({ id: "bare", triggers: [{ event: "go" }], retries: 1 }, () => {
        tries.push(seconds());
        throw new Error("no way");
      }),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(tries).toEqual([0, 15]);
  });

  it("retries a failing onFailure handler once, and starts nothing after its failure", async () => {
    const { inngest, register, drain } = createBench();
    let handled = 0;
    const onFailure = () => {
      handled += 1;
      throw new Error("this too");
    };
    const triggers = [{ event: "inngest/function.failed" }];
    await register(
      inngest.createFunction({ id: "hopeless", triggers: [{ event: "go" }], retries: 0, onFailure }, () => {
        throw new Error("no way");
      }),
      inngest.createFunction({ id: "watcher", triggers, retries: 0 }, onFailure),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(handled).toBe(3);
  });
});

describe("handler", () => {
  const broken = {
    throws: () => Promise.reject(new Error("the handler is broken")),
    "answers what is not JSON": async () => new Response("<html>", { status: 200 }),
    "answers no operations": async () => Response.json([], { status: 206 }),
    "answers 502": async () => Response.json({ message: "Bad gateway" }, { status: 502 }),
  };

  it.each(Object.entries(broken))("uses up an attempt when it %s", async (_, misbehave) => {
    let calls = 0;
    const { inngest, register, drain, seconds } = createBench({
      tamper: (post) => (request) => (++calls === 1 ? misbehave() : post(request)),
    });
    const ran: number[] = [];
    await register(inngest.createFunction({ id: "fine", triggers: [{ event: "go" }] }, () => void ran.push(seconds())));
    await inngest.send({ name: "go" });
    await drain();
    expect(ran).toEqual([15]);
  });
});
