import { randomBytes } from "node:crypto";
import { createLog } from "@/core/log/log";
import { systemClock } from "@/core/time";
import { createJobClient } from "@/jobs/client";
import { Engine } from "@/jobs/engine";
import { serveFunctions } from "@/server/jobs";

const RUNS = 200;
/** As many as a batch of the daily run has at one creator a step. */
const STEPS = 50;

/** Milliseconds of CPU time that the embedded engine and the SDK take for one step, which itself does nothing. */
export async function stepMs(): Promise<number> {
  const signingKey = `signkey-local-${randomBytes(32).toString("hex")}`;
  const log = createLog({ level: "silent" });
  const engine = new Engine({ signingKey, clock: systemClock, log });
  const inngest = createJobClient({ ...engine.clientOptions, logger: log });
  const idle = inngest.createFunction({ id: "idle", triggers: [{ event: "go" }] }, async ({ step }) => {
    for (let number = 0; number < STEPS; number++) await step.run(`step ${number}`, () => number);
  });
  await engine.register(serveFunctions(inngest, [idle]));
  const measure = async () => {
    const before = process.cpuUsage();
    await inngest.send(Array.from({ length: RUNS }, () => ({ name: "go" })));
    await engine.idle();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / (RUNS * STEPS);
  };
  await measure();
  const ms = await measure();
  await engine.stop();
  return ms;
}
