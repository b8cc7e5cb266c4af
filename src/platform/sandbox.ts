import { type Clock, countDaysBetween, DAY, type Day, startOfDay, toUtcDay } from "@/core/time";
import { createLocalPlatform } from "./local";
import type { VideoPlatform } from "./port";
import { roundToThreeDigits } from "./sample";
import { listSampleVideos } from "./sample-videos";

/** Days after which the jumps repeat. Longer than a session's history, so its alerts are new. */
const CYCLE = 40;

/** Jumps on the first days of a cycle, falls to `low` on day 10, and climbs back. */
function createJumpFactor(jumps: readonly number[], low: number) {
  return (day: number) => {
    const at = (day + CYCLE) % CYCLE;
    const peak = jumps.slice(0, at).reduce((factor, jump) => factor * jump, 1);
    if (at >= 10) return low + ((1 - low) * (at - 10)) / (CYCLE - 10);
    return peak + ((low - peak) * Math.max(0, at - jumps.length - 1)) / (9 - jumps.length);
  };
}

/** Subscribers at the start of a session, and by how much they have changed after days: null if hidden, 0 if deleted. */
const COURSES = {
  steady: { base: 8_200, getFactor: (day) => 1 + 0.003 * (day + 30) },
  viral_spike: { base: 5_400, getFactor: createJumpFactor([1.85, 1.3], 1) },
  ramp: { base: 640, getFactor: createJumpFactor([1.12, 1.18, 1.3], 0.78) },
  declining: { base: 52_000, getFactor: (day) => 1 / (1 + 0.004 * (day + 30)) },
  hidden: { base: 21_000, getFactor: () => null },
  deleted: { base: 3_100, getFactor: (day) => (day < 3 ? 1 : 0) },
  rounded_steps: { base: 124_000, getFactor: (day) => 1 + 0.004 * (day + 30) },
} satisfies Record<string, { base: number; getFactor: (day: number) => number | null }>;
export type SandboxCreator = keyof typeof COURSES;
export const SANDBOX_CREATORS = Object.keys(COURSES) as SandboxCreator[];

/** The id of a creator in one session: channels belong to no key, so no two sessions share one. */
export function buildSandboxChannelId(session: string, name: SandboxCreator): string {
  return `UCsandbox_${name.slice(0, 4)}${session.slice(0, 10)}`;
}

export function listSandboxChannelIds(session: string): string[] {
  return SANDBOX_CREATORS.map((name) => buildSandboxChannelId(session, name));
}

/** The platform of a sandbox session: seven creators whose counts follow from the days since it began. */
export function createSandboxPlatform(clock: Clock, startDay: Day, session: string): VideoPlatform {
  const names = new Map(SANDBOX_CREATORS.map((name) => [buildSandboxChannelId(session, name), name]));
  return createLocalPlatform("sample", {
    read(channelId) {
      const day = countDaysBetween(startDay, toUtcDay(clock.now()));
      const name = names.get(channelId);
      if (!name) return null;
      const { base, getFactor } = COURSES[name];
      const factor = getFactor(day);
      if (factor === 0) return null;
      return {
        channelId,
        name: name.replace("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
        handle: `@${name}`,
        thumbnailUrl: null,
        country: "US",
        subscribers: factor && roundToThreeDigits(base * factor),
        views: base * (200 + day),
        videos: 100 + Math.floor((day + 40) / 7),
      };
    },
    listVideos(channelId) {
      const name = names.get(channelId);
      const now = clock.now();
      if (!name || name === "deleted") return [];
      const { base, getFactor } = COURSES[name];
      const start = startOfDay(startDay).getTime();
      // The jumps of a cycle have one cause after the other.
      const jumps = Array.from({ length: 3 }, (_, number) => ({
        at: start + (number + 0.25) * DAY,
        gained: base * ((getFactor(number + 1) ?? 0) - (getFactor(number) ?? 0)),
        number: number + (name === "ramp" ? 1 : 0),
      })).filter(({ gained }) => gained > base / 10);
      const uploader = {
        id: name,
        niche: "education",
        country: null,
        subscribers: base,
        uploadsPerDay: 1 / 4,
        jumps,
      };
      return listSampleVideos({ ...uploader, epoch: start - 100 * DAY }, now);
    },
    findId: (handle) => [...names].find(([, name]) => name === handle)?.[0],
    search: () => [...names.keys()],
  });
}
