import { z } from "zod";
import { type Course, createJump, createWave } from "./sample-courses";
import sampleCreators from "./sample-creators.json" with { type: "json" };

const SampleCreator = z.tuple([z.string(), z.string(), z.string().nullable()]);
/** Name, handle, country. */
export type SampleCreator = z.output<typeof SampleCreator>;

/** The invented creators by niche, most prominent first. The position of a creator gives its role. */
const NicheCreators = z.record(z.string(), z.array(SampleCreator));
const CREATORS = z
  .object({
    full: NicheCreators,
    small: NicheCreators,
    example: NicheCreators,
    absent: NicheCreators,
    vanishing: NicheCreators,
  })
  .parse(sampleCreators);

interface Size {
  subscribers: readonly [number, number];
  uploadsPerYear: readonly [number, number];
}

export interface Role {
  size: Size;
  /** Dealt to the channels of a role in turn. */
  courses: readonly Course[];
  /** Shifts roles of one kind against each other, in fifths of their course. */
  shift?: 0 | 1 | 2 | 3 | 4;
  hidesSubscribers?: true;
  /** When the channel is missing from answers. Search lists it anyway. */
  absent?: "always" | "while falling";
}

/** The niches whose creators have every role. */
export const SAMPLE_NICHES: readonly string[] = Object.keys(CREATORS.full);
const SHIFTS = 5;
export const SLOTS = SHIFTS * SAMPLE_NICHES.length;
const STEADY = [1.03, 1.06, 1.1].map((factor) => createWave(180, 180, factor));
/** More than a fifth is climb, so one of five shifted channels always climbs. */
const RISING = [2.6, 3.2, 4].map((factor) => createWave(180, 420, factor));
/** 1% a day. */
const CLIMBING = [createWave(150, 450, 1.01 ** 150, "steady")];
/** 2.2% a day for two months. */
const TAKING_OFF = [createWave(60, 540, 1.022 ** 60, "steady")];
/** 0.6% a day for years, so the creator of the examples rises whenever they are tried. */
const EXAMPLE = [createWave(900, 100, 1.006 ** 900, "steady")];
const DECLINING = [1.8, 2.4].map((factor) => createWave(144, 432, factor));
const NEWCOMING = [12, 20].map((factor) => createWave(120, 600, factor));
/** Loses its growth overnight, when the platform removes spam accounts. */
const PURGED = [1.05, 1.08].map((factor) => createWave(119, 1, factor));
/** Present for 48 days, missing for 24, like a suspended and restored channel. */
const VANISHING = [createWave(48, 24, 1.1)];
/** One jump for each severity of an alert. Some channel jumps every third day. */
const JUMPS = [1.127, 1.193, 1.364, 1.812] as const;
const JUMP_EVERY = 3 * SLOTS;
/** One large day and nothing after it. */
const FLASH = JUMPS.map((jump) => createJump(JUMP_EVERY, jump, 0, 0));
const VIRAL = JUMPS.map((jump) => createJump(JUMP_EVERY, jump, 0.35, 0));
/** A jump of a channel that was growing, and that goes on. */
const BREAKING_OUT = JUMPS.map((jump) => createJump(JUMP_EVERY, jump, 1, 0.9));

const HUGE: Size = { subscribers: [2_000_000, 12_000_000], uploadsPerYear: [100, 300] };
const MID: Size = { subscribers: [50_000, 500_000], uploadsPerYear: [60, 200] };
const SMALL: Size = { subscribers: [2_000, 20_000], uploadsPerYear: [30, 120] };
/** Below 1,000 even after a fourfold climb, so counts are exact. */
const TINY: Size = { subscribers: [100, 240], uploadsPerYear: [10, 60] };
const NEW: Size = { subscribers: [300, 900], uploadsPerYear: [1, 2] };

/** The n-th creator of a niche has the n-th role, and those after the last role one of the quiet ones. */
const CAST: readonly Role[] = [
  { size: HUGE, courses: STEADY },
  { size: HUGE, courses: DECLINING, shift: 1 },
  { size: MID, courses: STEADY, shift: 1 },
  { size: MID, courses: RISING, shift: 0 },
  { size: MID, courses: VIRAL, shift: 0 },
  { size: MID, courses: STEADY, shift: 2, hidesSubscribers: true },
  { size: MID, courses: DECLINING, shift: 3 },
  { size: SMALL, courses: STEADY },
  { size: SMALL, courses: STEADY, shift: 1 },
  { size: SMALL, courses: RISING, shift: 1 },
  { size: SMALL, courses: BREAKING_OUT, shift: 1 },
  { size: SMALL, courses: DECLINING },
  { size: TINY, courses: STEADY, shift: 2 },
  { size: TINY, courses: RISING, shift: 2 },
  { size: TINY, courses: FLASH, shift: 2 },
  { size: NEW, courses: NEWCOMING },
  { size: MID, courses: CLIMBING, shift: 3 },
  { size: SMALL, courses: CLIMBING, shift: 4 },
  { size: MID, courses: BREAKING_OUT, shift: 3 },
  { size: SMALL, courses: VIRAL, shift: 4 },
  { size: MID, courses: PURGED, shift: 2 },
  { size: SMALL, courses: TAKING_OFF },
];

/** The roles of the small niches, where no channel jumps. */
const SMALL_CAST: readonly Role[] = [
  { size: HUGE, courses: STEADY },
  { size: MID, courses: RISING, shift: 0 },
  { size: MID, courses: DECLINING, shift: 2 },
  { size: MID, courses: STEADY, shift: 1 },
  { size: SMALL, courses: RISING, shift: 1 },
  { size: SMALL, courses: STEADY, shift: 2 },
  { size: SMALL, courses: DECLINING },
  { size: TINY, courses: RISING, shift: 2 },
  { size: TINY, courses: STEADY },
  { size: MID, courses: STEADY, hidesSubscribers: true },
  { size: MID, courses: CLIMBING, shift: 3 },
  { size: SMALL, courses: RISING, shift: 4 },
  { size: SMALL, courses: TAKING_OFF, shift: 2 },
];

const QUIET: readonly Role[] = [
  { size: MID, courses: STEADY, shift: 3 },
  { size: SMALL, courses: STEADY, shift: 4 },
  { size: SMALL, courses: PURGED, shift: 1 },
  { size: SMALL, courses: STEADY, shift: 2 },
  { size: MID, courses: DECLINING, shift: 4 },
  { size: SMALL, courses: STEADY, shift: 3 },
];

/** Who plays what: the creators of each niche, and the roles of their kind of niche. */
export const CASTS: readonly { niches: z.output<typeof NicheCreators>; cast: readonly Role[] }[] = [
  { niches: CREATORS.full, cast: CAST },
  { niches: CREATORS.small, cast: SMALL_CAST },
  { niches: CREATORS.example, cast: [{ size: TINY, courses: EXAMPLE }] },
  { niches: CREATORS.absent, cast: [{ size: SMALL, courses: STEADY, absent: "always" }] },
  { niches: CREATORS.vanishing, cast: [{ size: SMALL, courses: VANISHING, absent: "while falling" }] },
];

/** The role of the n-th creator of a cast. */
export function findRole(cast: readonly Role[], index: number): Role {
  const role = cast[index] ?? QUIET[(index - cast.length) % QUIET.length];
  if (!role) throw new RangeError("A creator without a role");
  return role;
}
