import { createHash } from "node:crypto";
import { z } from "zod";
import { type Clock, DAY, toDate } from "@/core/time";
import { createLocalPlatform } from "./local";
import type { ChannelStats, VideoPlatform } from "./port";
import sampleCreators from "./sample-creators.json" with { type: "json" };
import { listSampleVideos, type SampleUploader } from "./sample-videos";

const SampleCreator = z.tuple([z.string(), z.string(), z.string().nullable()]);
/** Name, handle, country. */
type SampleCreator = z.output<typeof SampleCreator>;

/**
 * The invented creators by niche, most prominent first. The position of a creator gives its role. Only some of the full
 * niches have the roles after the sixteenth (terminated, vanishing).
 */
const NicheCreators = z.record(z.string(), z.array(SampleCreator));
const CREATORS = z.object({ full: NicheCreators, small: NicheCreators }).parse(sampleCreators);

/**
 * The cycle of a channel: subscribers climb by a factor over `rise` days and return over `fall` days. So its numbers are
 * plausible at any date and depend on the date alone.
 */
interface Course {
  rise: number;
  fall: number;
  /** The share of the climb on its first day; without it all days climb alike. */
  burst?: number;
  factors: readonly [number, ...number[]];
}

interface Size {
  subscribers: readonly [number, number];
  uploadsPerYear: readonly [number, number];
}

interface Role {
  size: Size;
  course: Course;
  /** Shifts roles of one course against each other. */
  third?: 0 | 1 | 2;
  hidesSubscribers?: true;
  /** When the channel is missing from answers. Search lists it anyway. */
  absent?: "always" | "while falling";
}

interface Channel extends Role {
  creator: SampleCreator;
  id: string;
  niche: string;
  base: number;
  factor: number;
  phase: number;
  uploadsPerDay: number;
  viewsPerSubscriberAndDay: number;
}

/** The niches whose creators have every role. */
export const SAMPLE_NICHES: readonly string[] = Object.keys(CREATORS.full);
const THIRDS = 3;
const SLOTS = THIRDS * SAMPLE_NICHES.length;
/** Start of all cycles. A day of the sample platform begins at 06:00 UTC, the time of the daily run. */
const EPOCH = toDate("2020-01-01T06:00:00Z").getTime();
const VIEWS_PER_NEW_SUBSCRIBER = 40;

const STEADY: Course = { rise: 180, fall: 180, factors: [1.02, 1.05] };
/** More than a third is climb, so one of three shifted channels always climbs. */
const RISING: Course = { rise: 132, fall: 228, factors: [2.2, 3, 4] };
const DECLINING: Course = { rise: 144, fall: 432, factors: [2.5, 3.2] };
const NEWCOMING: Course = { rise: 120, fall: 600, factors: [12, 20] };
/** Present for 48 days, missing for 24, like a suspended and restored channel. */
const VANISHING: Course = { rise: 48, fall: 24, factors: [1.1] };
/** One jump for each severity of an alert. Some channel jumps every third day. */
const JUMPS = [1.127, 1.193, 1.364, 1.812] as const;
const JUMP_EVERY = 3 * SLOTS;
const SURGING: Course = { rise: 1, fall: JUMP_EVERY - 1, factors: JUMPS };
const TAKING_OFF: Course = {
  rise: 13,
  fall: JUMP_EVERY - 13,
  burst: 0.5,
  factors: [JUMPS[0] ** 2, JUMPS[1] ** 2, JUMPS[2] ** 2, JUMPS[3] ** 2],
};

const HUGE: Size = { subscribers: [2_000_000, 12_000_000], uploadsPerYear: [100, 300] };
const MID: Size = { subscribers: [50_000, 500_000], uploadsPerYear: [60, 200] };
const SMALL: Size = { subscribers: [2_000, 20_000], uploadsPerYear: [30, 120] };
/** Below 1,000 even after a fourfold climb, so counts are exact. */
const TINY: Size = { subscribers: [100, 240], uploadsPerYear: [10, 60] };
const NEW: Size = { subscribers: [300, 900], uploadsPerYear: [1, 2] };

/** The n-th creator of a niche has the n-th role. */
const CAST: readonly Role[] = [
  { size: HUGE, course: STEADY },
  { size: HUGE, course: DECLINING, third: 1 },
  { size: MID, course: STEADY, third: 1 },
  { size: MID, course: RISING, third: 0 },
  { size: MID, course: SURGING, third: 0 },
  { size: MID, course: STEADY, third: 2, hidesSubscribers: true },
  { size: MID, course: DECLINING, third: 2 },
  { size: SMALL, course: STEADY },
  { size: SMALL, course: STEADY, third: 1 },
  { size: SMALL, course: RISING, third: 1 },
  { size: SMALL, course: SURGING, third: 1 },
  { size: SMALL, course: DECLINING },
  { size: TINY, course: STEADY, third: 2 },
  { size: TINY, course: RISING, third: 2 },
  { size: TINY, course: TAKING_OFF, third: 2 },
  { size: NEW, course: NEWCOMING },
  { size: SMALL, course: STEADY, absent: "always" },
  { size: SMALL, course: VANISHING, absent: "while falling" },
];

/** The roles of the small niches, where no channel jumps. */
const SMALL_CAST: readonly Role[] = [
  { size: HUGE, course: STEADY },
  { size: MID, course: RISING, third: 0 },
  { size: MID, course: DECLINING, third: 2 },
  { size: MID, course: STEADY, third: 1 },
  { size: SMALL, course: RISING, third: 1 },
  { size: SMALL, course: STEADY, third: 2 },
  { size: SMALL, course: DECLINING },
  { size: TINY, course: RISING, third: 2 },
  { size: TINY, course: STEADY },
  { size: MID, course: STEADY, hidesSubscribers: true },
];

/** The id of the sample channel with a handle, in the form of real ids. */
export function getSampleChannelId(handle: string): string {
  return `UC${hash(handle).subarray(0, 16).toString("base64url")}`;
}

/** A simulated video platform. Every count follows from the channel and the time of the clock. */
export function createSamplePlatform(clock: Clock): VideoPlatform {
  const channels = [...createNicheChannels(CREATORS.full, CAST), ...createNicheChannels(CREATORS.small, SMALL_CAST)];
  const niches = new Set(channels.map(({ niche }) => niche));
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const ids = new Map(channels.map(({ id, creator }) => [creator[1].replace(/^@/, "").toLowerCase(), id]));

  return createLocalPlatform("sample", {
    read(id) {
      const channel = byId.get(id);
      return channel ? getStatsAt(channel, clock.now()) : null;
    },
    findId: (name) => ids.get(name),
    listVideos(id) {
      const channel = byId.get(id);
      const now = clock.now();
      return channel && getStatsAt(channel, now) ? listSampleVideos(toUploader(channel, now), now) : [];
    },
    search(niche) {
      const query = niche.trim().toLowerCase();
      if (query === "") return [];
      const found = niches.has(query)
        ? channels.filter((channel) => channel.niche === query)
        : channels.filter((channel) => channel.creator[0].toLowerCase().includes(query));
      return found.map((channel) => channel.id);
    },
  });
}

function createNicheChannels(creators: z.output<typeof NicheCreators>, cast: readonly Role[]): Channel[] {
  return Object.entries(creators).flatMap(([niche, named], nicheIndex) =>
    cast.flatMap((role, index) => {
      const creator = named[index];
      return creator ? [createChannel(role, creator, niche, nicheIndex)] : [];
    }),
  );
}

function createChannel(role: Role, creator: SampleCreator, niche: string, nicheIndex: number): Channel {
  const { course, size, third = 0 } = role;
  // One slot per niche and third; the slots of a niche are a third of the course apart.
  const slot = (third * SAMPLE_NICHES.length + nicheIndex * (SAMPLE_NICHES.length + 1)) % SLOTS;
  // One step further in each third, so the thirds of a niche have different factors.
  const deal = slot + Math.floor(slot / SAMPLE_NICHES.length);
  return {
    ...role,
    creator,
    id: getSampleChannelId(creator[1]),
    niche,
    base: roundToThreeDigits(interpolate(size.subscribers, hashToShare(creator[1], "subscribers"))),
    factor: course.factors[deal % course.factors.length] ?? course.factors[0],
    phase: ((course.rise + course.fall) * slot) / SLOTS,
    uploadsPerDay: interpolate(size.uploadsPerYear, hashToShare(creator[1], "uploads")) / 365,
    viewsPerSubscriberAndDay: interpolate([0.05, 0.25], hashToShare(creator[1], "views")),
  };
}

function getStatsAt(channel: Channel, at: Date): ChannelStats | null {
  const { rise, fall } = channel.course;
  const age = Math.max(0, (at.getTime() - EPOCH) / DAY);
  const cycles = Math.floor((age + channel.phase) / (rise + fall));
  const day = age + channel.phase - cycles * (rise + fall);
  const falling = day >= rise;
  if (channel.absent === "always" || (channel.absent === "while falling" && falling)) return null;

  const height = falling ? 1 - (day - rise) / fall : computeClimb(channel.course, day);
  const climbs = cycles + (falling ? 1 : height);
  const viewsPerClimb = (channel.factor - 1) * VIEWS_PER_NEW_SUBSCRIBER;
  const [name, handle, country] = channel.creator;
  return {
    channelId: channel.id,
    name,
    handle,
    thumbnailUrl: null,
    country,
    subscribers: channel.hidesSubscribers ? null : roundToThreeDigits(channel.base * channel.factor ** height),
    views: Math.floor(channel.base * (age * channel.viewsPerSubscriberAndDay + climbs * viewsPerClimb)),
    videos: Math.floor(age * channel.uploadsPerDay),
  };
}

/** The channel as its videos need it, with the jumps of its last two cycles. */
function toUploader(channel: Channel, now: Date): SampleUploader {
  const { creator, course, base, factor, phase } = channel;
  const length = course.rise + course.fall;
  const cycle = Math.floor(((now.getTime() - EPOCH) / DAY + phase) / length);
  const hasJumps = course === SURGING || course === TAKING_OFF;
  const slot = Math.round((phase / length) * SLOTS);
  const jumps = [cycle - 1, cycle].map((number) => ({
    at: EPOCH + (number * length - phase) * DAY,
    gained: base * (factor ** (course.burst ?? 1) - 1),
    number: number + slot,
  }));
  return { ...channel, country: creator[2], subscribers: base, epoch: EPOCH, jumps: hasJumps ? jumps : [] };
}

function computeClimb({ rise, burst }: Course, day: number): number {
  if (burst === undefined) return day / rise;
  return day < 1 ? burst * day : burst + ((1 - burst) * (day - 1)) / (rise - 1);
}

/** Rounds down to three significant digits, as the platform shows counts. */
export function roundToThreeDigits(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 2);
  return Math.floor(count / unit) * unit;
}

function interpolate([min, max]: readonly [number, number], share: number): number {
  return min * (max / min) ** share;
}

function hashToShare(handle: string, purpose: string): number {
  return hash(`${handle} ${purpose}`).readUInt32BE() / 2 ** 32;
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
