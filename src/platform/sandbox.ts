import { type Clock, countDaysBetween, type Day, toUtcDay } from "@/core/time";
import type { ChannelStats, VideoPlatform } from "./port";
import { roundToThreeDigits } from "./sample";

/** Subscribers at the start of a session, and by how much they have changed some days after it. */
interface Course {
  base: number;
  getFactor(day: number): number;
}

/** Days after which the jumps repeat. Longer than a session's history, so its alerts are new. */
const CYCLE = 40;
const getCycleDay = (day: number, length: number) => ((day % length) + length) % length;

/** Days since the history of a session begins. */
const countDaysSinceFirst = (day: number) => Math.max(0, day + 30);

/** Jumps on the first days of a cycle, falls to `low` on day 10, and climbs back. */
function createJumpFactor(jumps: readonly number[], low: number) {
  return (day: number) => {
    const at = getCycleDay(day, CYCLE);
    const peak = jumps.slice(0, at).reduce((factor, jump) => factor * jump, 1);
    if (at <= jumps.length + 1) return peak;
    if (at < 10) return peak + ((low - peak) * (at - jumps.length - 1)) / (9 - jumps.length);
    return low + ((1 - low) * (at - 10)) / (CYCLE - 10);
  };
}

const COURSES = {
  steady: { base: 8_200, getFactor: (day) => 1 + 0.003 * countDaysSinceFirst(day) },
  viral_spike: { base: 5_400, getFactor: createJumpFactor([1.85, 1.3], 1) },
  ramp: { base: 640, getFactor: createJumpFactor([1.12, 1.18, 1.3], 0.78) },
  declining: { base: 52_000, getFactor: (day) => 1 / (1 + 0.004 * countDaysSinceFirst(day)) },
  hidden: { base: 21_000, getFactor: () => 1 },
  deleted: { base: 3_100, getFactor: () => 1 },
  rounded_steps: { base: 124_000, getFactor: (day) => 1 + 0.004 * countDaysSinceFirst(day) },
} satisfies Record<string, Course>;
export type SandboxCreator = keyof typeof COURSES;
export const SANDBOX_CREATORS = Object.keys(COURSES) as SandboxCreator[];

/** Days after the start of a session on which @deleted is gone. */
const DELETED_AFTER = 3;
const CODE_LENGTH = 14;

/** The id of a creator. @param head the 10 characters that the ids of one session begin with */
export function buildSandboxChannelId(head: string, name: SandboxCreator): string {
  return head + name.padEnd(CODE_LENGTH, "0");
}

/** The platform of a sandbox session: seven creators whose counts follow from the days since it began. */
export function createSandboxPlatform(clock: Clock, startDay: Day, head: string): VideoPlatform {
  const byId = new Map(SANDBOX_CREATORS.map((name) => [buildSandboxChannelId(head, name), name]));
  const byHandle = new Map(SANDBOX_CREATORS.map((name) => [`@${name}`, name]));

  function read(name: SandboxCreator | undefined): ChannelStats | null {
    const day = countDaysBetween(startDay, toUtcDay(clock.now()));
    if (!name || (name === "deleted" && day >= DELETED_AFTER)) return null;
    const { base, getFactor } = COURSES[name];
    return {
      channelId: buildSandboxChannelId(head, name),
      name: name.replace("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
      handle: `@${name}`,
      thumbnailUrl: null,
      country: "US",
      subscribers: name === "hidden" ? null : roundToThreeDigits(base * getFactor(day)),
      views: base * (200 + day),
      videos: 100 + Math.floor((day + 40) / 7),
    };
  }

  return {
    name: "sample",
    searchesAreFree: true,
    listChannels: async (ids) => ids.map((id) => read(byId.get(id))).filter((stats) => stats !== null),
    find: async (reference) => {
      if (reference.kind === "id") return read(byId.get(reference.id));
      const handle = reference.kind === "handle" ? reference.handle : `@${reference.username}`;
      return read(byHandle.get(handle.toLowerCase()));
    },
    search: async () => [...byId.keys()],
  };
}
