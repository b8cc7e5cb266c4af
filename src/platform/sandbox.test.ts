import { expect, it } from "vitest";
import { addDays, type Day, ManualClock } from "@/core/time";
import { buildSandboxChannelId, createSandboxPlatform, SANDBOX_CREATORS, type SandboxCreator } from "./sandbox";

const HEAD = "UCabcdefgh";
const START = "2026-03-10";

async function read(name: SandboxCreator, day: Day, start = START) {
  const platform = createSandboxPlatform(new ManualClock(`${day}T06:00:00Z`), start, HEAD);
  return (await platform.listChannels([buildSandboxChannelId(HEAD, name)])).channels[0];
}

async function computeGrowth(name: SandboxCreator, day: number): Promise<number> {
  const counts = [day - 1, day].map(async (at) => (await read(name, addDays(START, at)))?.subscribers ?? 0);
  const [before = 0, after = 0] = await Promise.all(counts);
  return 100 * (after / before - 1);
}

it("sandbox has seven creators with valid channel ids", () => {
  expect(SANDBOX_CREATORS).toHaveLength(7);
  for (const name of SANDBOX_CREATORS) expect(buildSandboxChannelId(HEAD, name)).toMatch(/^UC[A-Za-z0-9_-]{22}$/);
});

it("sandbox shows the same on the same day after the start of any session", async () => {
  for (const name of SANDBOX_CREATORS)
    expect(await read(name, "2031-07-02", "2031-07-01")).toEqual(await read(name, "2026-03-11"));
});

it.each([
  ["viral_spike", 1, 50, 100],
  ["viral_spike", 2, 25, 50],
  ["ramp", 1, 10, 15],
  ["ramp", 2, 15, 25],
  ["ramp", 3, 25, 50],
] as const)("sandbox makes %s jump on day %i by %i to %i%% in each cycle", async (name, day, from, to) => {
  for (const cycle of [0, 40, 80]) {
    const percent = await computeGrowth(name, day + cycle);
    expect(percent).toBeGreaterThan(from);
    expect(percent).toBeLessThan(to);
  }
});

it("sandbox has no jump on any other day, and none in the history before a session", async () => {
  for (const name of SANDBOX_CREATORS.filter((each) => !["hidden", "deleted"].includes(each)))
    for (let day = -29; day <= 41; day++)
      if (day <= 0 || (day > 3 && day < 41)) expect(await computeGrowth(name, day), `${name} ${day}`).toBeLessThan(5);
});

it("sandbox hides one count, deletes one channel after three days, and rounds to three digits", async () => {
  expect(await read("hidden", START)).toMatchObject({ subscribers: null });
  expect(await read("deleted", "2026-03-12")).toBeDefined();
  expect(await read("deleted", "2026-03-13")).toBeUndefined();
  const counts = new Set<number | null | undefined>();
  for (let day = 0; day < 20; day++) counts.add((await read("rounded_steps", addDays(START, day)))?.subscribers);
  expect(counts.size).toBeLessThan(15);
  for (const count of counts) expect((count ?? 1) % 1000).toBe(0);
});
