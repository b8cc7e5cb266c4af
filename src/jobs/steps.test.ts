import { createHash } from "node:crypto";
import type { FailureEventArgs, GetStepTools, Inngest } from "inngest";
import { describe, expect, it } from "vitest";
import { SECOND, sleep, toDate } from "@/core/time";
import { createBench } from "@/test/job-bench";
import { NEXT } from "./queue";

type Steps = GetStepTools<Inngest.Any>;

describe("run of a function", () => {
  it("takes one request for all its steps, which are checkpointed", async () => {
    const { inngest, register, drain, requests } = createBench();
    const ran: string[] = [];
    await register(
      inngest.createFunction({ id: "sequence", triggers: [{ event: "go" }] }, async ({ event, step }) => {
        const first = await step.run("first", () => `${event.data.word} 1`);
        await step.run("second", () => ran.push(first, "2"));
      }),
    );
    await inngest.send({ name: "go", data: { word: "step" } });
    await drain();
    expect(ran).toEqual(["step 1", "2"]);
    expect(requests).toEqual([NEXT]);
  });

  it("takes several requests when it exceeds the maximum runtime of checkpointing", async () => {
    const { inngest, register, drain, requests } = createBench();
    const ran: number[] = [];
    const checkpointing = { maxRuntime: 1, bufferedSteps: 100 };
    await register(
      inngest.createFunction({ id: "long", triggers: [{ event: "go" }], checkpointing }, async ({ step }) => {
        for (const part of [1, 2, 3]) {
          await step.run(`part ${part}`, async () => {
            await sleep(5);
            ran.push(part);
          });
        }
      }),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(ran).toEqual([1, 2, 3]);
    expect(requests.length).toBeGreaterThan(1);
  });

  it("keeps what a step returned: null, nothing, and values with awkward keys", async () => {
    const { inngest, register, drain } = createBench();
    const seen: unknown[] = [];
    const odd = {
      "10": "ten",
      "9": "nine",
      é: "e",
      z: [null, { b: 1, a: -0.5e-7 }],
      line: "\u2028",
    };
    await register(
      inngest.createFunction(
        { id: "odd", triggers: [{ event: "go" }], checkpointing: false },
        async ({ event, step }) => {
          const nothing = await step.run("nothing", () => undefined);
          const none = await step.run("null", () => null);
          const same = await step.run("odd", () => event.data);
          seen.push(nothing, none, same);
        },
      ),
    );
    await inngest.send({ name: "go", data: odd });
    await drain();
    expect(seen).toEqual([null, null, odd]);
  });

  it("continues before a newer one starts", async () => {
    const { inngest, register, drain } = createBench({ maxParallel: 1 });
    const ran: string[] = [];
    const triggers = [{ event: "go" }];
    await register(
      inngest.createFunction({ id: "fn", triggers, checkpointing: false }, async ({ event, step }) => {
        for (const part of ["a", "b"]) await step.run(part, () => ran.push(`${event.data.name}${part}`));
      }),
    );
    await inngest.send(["1", "2"].map((name) => ({ name: "go", data: { name } })));
    await drain();
    expect(ran).toEqual(["1a", "1b", "2a", "2b"]);
  });

  it("keeps the first result of a step, and accepts none after its end", async () => {
    const { engine, inngest, register, drain } = createBench();
    const id = createHash("sha1").update("step").digest("hex");
    const checkpoint = (run_id: string, data: number) =>
      engine.clientOptions.fetch(`http://localhost/v1/checkpoint/${run_id}/async`, {
        method: "POST",
        body: JSON.stringify({ run_id, steps: [{ op: "StepRun", id, data }] }),
      });
    const seen: unknown[] = [];
    await register(
      inngest.createFunction({ id: "fn", triggers: [{ event: "go" }] }, async ({ attempt, runId, step }) => {
        if (attempt === 0) {
          for (const data of [1, 2]) expect((await checkpoint(runId, data)).status).toBe(200);
          throw new Error("again");
        }
        seen.push(await step.run("step", () => 3), runId);
      }),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(seen[0]).toBe(1);
    expect((await checkpoint(String(seen[1]), 4)).status).toBe(409);
  });

  it("sends events to other functions: a hundred events start a hundred runs", async () => {
    const { inngest, register, drain } = createBench();
    const received: number[] = [];
    await register(
      inngest.createFunction({ id: "fan-out", triggers: [{ event: "go" }] }, async ({ step }) => {
        const events = Array.from({ length: 100 }, (_, index) => ({ name: "part", data: { index } }));
        await step.sendEvent("send", events);
      }),
      inngest.createFunction({ id: "part", triggers: { event: "part" } }, ({ event }) => {
        received.push(event.data.index);
      }),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(received.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it("continues after a sleep at its instant, and other runs go on meanwhile", async () => {
    const { inngest, register, drain, clock } = createBench();
    const woken: string[] = [];
    const start = clock.now().getTime();
    await register(
      inngest.createFunction(
        { id: "sleeper", triggers: [{ event: "go" }], concurrency: 1, checkpointing: false },
        async ({ event, step }) => {
          for (const wait of event.data.waits as number[])
            await step.sleepUntil(`for ${wait}`, toDate(start + wait * SECOND));
          woken.push(`${event.data.name} after ${(clock.now().getTime() - start) / SECOND}`);
        },
      ),
    );
    await inngest.send([
      { name: "go", data: { name: "late", waits: [5, 30] } },
      { name: "go", data: { name: "early", waits: [10] } },
      { name: "go", data: { name: "now", waits: [] } },
    ]);
    await drain();
    expect(woken).toEqual(["now after 0", "early after 10", "late after 30"]);
  });

  it.each([
    ["WaitForEvent (news)", (step: Steps) => step.waitForEvent("news", { event: "news", timeout: "1h" })],
    ["steps in parallel", (step: Steps) => Promise.all(["a", "b"].map((id) => step.run(id, () => {})))],
  ])("fails without a retry when it uses what the engine does not support: %s", async (what, use) => {
    const { inngest, register, drain, seconds } = createBench();
    const failures: string[] = [];
    await register(
      inngest.createFunction(
        {
          id: "ambitious",
          triggers: [{ event: "go" }],
          onFailure: ({ error }: FailureEventArgs) => void failures.push(error.message),
        },
        async ({ step }) => {
          await use(step);
        },
      ),
    );
    await inngest.send({ name: "go" });
    await drain();
    expect(failures).toEqual([`The embedded job engine does not support ${what}`]);
    expect(seconds()).toBe(0);
  });
});
