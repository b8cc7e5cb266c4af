import { z } from "zod";
import sampleCreators from "./sample-creators.json" with { type: "json" };
import type { SampleEvent } from "./sample-growth";
import { CAUSES } from "./sample-videos";

const SampleCreator = z.tuple([z.string(), z.string(), z.string().nullable()]);
/** Name, handle, country. */
export type SampleCreator = z.output<typeof SampleCreator>;

const STAGED_KINDS = {
  flash: { afterglow: 0, lead: -0.003 },
  viral: { afterglow: 0.4, lead: 0.002 },
  lasting: { afterglow: 1.1, lead: 0.01 },
};
/** Days from the day of the demo, the factor of the jump, its cause and its kind. */
const StagedJump = z.tuple([
  z.int(),
  z.number(),
  z.enum(CAUSES),
  z.enum(Object.keys(STAGED_KINDS) as (keyof typeof STAGED_KINDS)[]),
]);

/** The invented creators by niche, most prominent first. The position of a creator gives its role. */
const NicheCreators = z.record(z.string(), z.array(SampleCreator));
const CREATORS = z
  .object({
    full: NicheCreators,
    small: NicheCreators,
    example: NicheCreators,
    absent: NicheCreators,
    vanishing: NicheCreators,
    /** By handle: the jumps of a demo's day, of the month before it and of the weeks after. */
    staged: z.record(z.string(), z.array(StagedJump)),
  })
  .parse(sampleCreators);

interface Size {
  subscribers: readonly [number, number];
  uploadsPerYear: readonly [number, number];
  /** Usual growth of a day, in percent: large channels grow less. */
  pace: number;
}

/** How a channel jumps, again and again. */
export interface Jump extends Pick<SampleEvent, "afterglow" | "lead"> {
  /** One for each severity of an alert, dealt to the channels in turn. */
  factors: readonly number[];
}

export interface Role {
  size: Size;
  jump?: Jump;
  /** Shifts roles that jump against each other. */
  shift?: number;
  /** Growth of each day, as a logarithm, in place of growth by chance. */
  steady?: (day: number) => number;
  hidesSubscribers?: true;
  /** Whether the channel is missing from answers on a day. Search lists it anyway. */
  isAbsent?: (day: number) => boolean;
}

/** The niches whose creators have every role. */
export const SAMPLE_NICHES: readonly string[] = Object.keys(CREATORS.full);
const JUMPERS = 5;
/** The channels that jump. Some channel jumps every third day. */
export const SLOTS = JUMPERS * SAMPLE_NICHES.length;
const FACTORS = [1.127, 1.193, 1.364, 1.812] as const;
/** One large day and nothing after it. */
const FLASH: Jump = { factors: FACTORS, afterglow: 0, lead: 0 };
const VIRAL: Jump = { factors: FACTORS, afterglow: 0.35, lead: 0 };
/** A jump of a channel that was growing, and that goes on. */
const BREAKING_OUT: Jump = { factors: FACTORS, afterglow: 0.8, lead: 0.009 };
/** Rises by 0.4% a day for years, so the creator of the examples rises whenever they are tried. */
const CLIMBING = (day: number) => (day % 1000 < 900 ? 0.004 : -0.036);
/** Present for 48 days, missing for 24, like a suspended and restored channel. */
const VANISHING = (day: number) => day % 72 >= 48;

const HUGE: Size = { subscribers: [2_000_000, 12_000_000], uploadsPerYear: [100, 300], pace: 0.008 };
const MID: Size = { subscribers: [50_000, 500_000], uploadsPerYear: [60, 200], pace: 0.016 };
const SMALL: Size = { subscribers: [2_000, 20_000], uploadsPerYear: [30, 120], pace: 0.024 };
/** Mostly below 1,000, where counts are exact. */
const TINY: Size = { subscribers: [100, 300], uploadsPerYear: [10, 60], pace: 0.02 };
const NEW: Size = { subscribers: [200, 500], uploadsPerYear: [1, 2], pace: 0.024 };

/** The n-th creator of a niche has the n-th role, and those after the last role one of the quiet ones. */
const CAST: readonly Role[] = [
  { size: HUGE },
  { size: HUGE },
  { size: MID },
  { size: MID },
  { size: MID, jump: VIRAL, shift: 0 },
  { size: MID, hidesSubscribers: true },
  { size: MID },
  { size: SMALL },
  { size: SMALL },
  { size: SMALL },
  { size: SMALL, jump: BREAKING_OUT, shift: 1 },
  { size: SMALL },
  { size: TINY },
  { size: TINY },
  { size: TINY, jump: FLASH, shift: 2 },
  { size: NEW },
  { size: MID },
  { size: SMALL },
  { size: MID, jump: BREAKING_OUT, shift: 3 },
  { size: SMALL, jump: VIRAL, shift: 4 },
];

/** The roles of the small niches, where no channel jumps. */
const SMALL_CAST: readonly Role[] = [
  { size: HUGE },
  { size: MID },
  { size: MID },
  { size: SMALL },
  { size: SMALL },
  { size: TINY },
  { size: TINY },
  { size: MID, hidesSubscribers: true },
];
const QUIET: readonly Role[] = [{ size: MID }, { size: SMALL }, { size: SMALL }];

/** Who plays what: the creators of each niche, and the roles of their kind of niche. */
export const CASTS: readonly { niches: z.output<typeof NicheCreators>; cast: readonly Role[] }[] = [
  { niches: CREATORS.full, cast: CAST },
  { niches: CREATORS.small, cast: SMALL_CAST },
  { niches: CREATORS.example, cast: [{ size: TINY, steady: CLIMBING }] },
  { niches: CREATORS.absent, cast: [{ size: SMALL, isAbsent: () => true }] },
  { niches: CREATORS.vanishing, cast: [{ size: SMALL, isAbsent: VANISHING }] },
];

/** The role of the n-th creator of a cast. */
export function findRole(cast: readonly Role[], index: number): Role {
  const role = cast[index] ?? QUIET[(index - cast.length) % QUIET.length];
  if (!role) throw new RangeError("A creator without a role");
  return role;
}

/** The handles of the channels that a demo stages. */
export const STAGED_HANDLES: readonly string[] = Object.keys(CREATORS.staged);

/** The jumps of a demo's channels, by handle. @param day of the demo, in days since the start of all histories */
export function listStagedEvents(day: number): Map<string, SampleEvent[]> {
  const toEvent = ([at, factor, cause, kind]: z.output<typeof StagedJump>) => {
    return { day: day + at, factor, cause: CAUSES.indexOf(cause), ...STAGED_KINDS[kind] };
  };
  return new Map(Object.entries(CREATORS.staged).map(([handle, jumps]) => [handle, jumps.map(toEvent)]));
}
