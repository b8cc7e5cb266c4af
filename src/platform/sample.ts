import { createHash } from "node:crypto";
import { type Clock, DAY, toDate } from "@/core/time";
import { createLocalPlatform } from "./local";
import type { ChannelStats, VideoPlatform } from "./port";
import { CASTS, findRole, type Role, SAMPLE_NICHES, type SampleCreator, SLOTS } from "./sample-cast";
import { type Course, computeWobble } from "./sample-courses";
import { listSampleVideos, type SampleUploader } from "./sample-videos";

export { SAMPLE_NICHES };

interface Channel extends Omit<Role, "courses" | "shift"> {
  creator: SampleCreator;
  id: string;
  niche: string;
  course: Course;
  seed: number;
  base: number;
  phase: number;
  uploadsPerDay: number;
  viewsPerSubscriberAndDay: number;
}

/** Start of all courses. A day of the sample platform begins at 06:00 UTC, the time of the daily run. */
const EPOCH = toDate("2020-01-01T06:00:00Z").getTime();
/** Views by subscriber, for a climb by the factor e. */
const VIEWS_PER_CLIMB = 80;

/** The id of the sample channel with a handle, in the form of real ids. */
export function getSampleChannelId(handle: string): string {
  return `UC${hash(handle).subarray(0, 16).toString("base64url")}`;
}

/** A simulated video platform. Every count follows from the channel and the time of the clock. */
export function createSamplePlatform(clock: Clock): VideoPlatform {
  const channels = CASTS.flatMap(({ niches, cast }) =>
    Object.entries(niches).flatMap(([niche, creators], nicheIndex) =>
      creators.map((creator, index) => createChannel(findRole(cast, index), creator, niche, nicheIndex)),
    ),
  );
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

function createChannel(role: Role, creator: SampleCreator, niche: string, nicheIndex: number): Channel {
  const { courses, size, shift = 0, ...rest } = role;
  const [, handle] = creator;
  // One slot per niche and shift; the slots of a niche are a fifth of the course apart.
  const slot = (shift * SAMPLE_NICHES.length + nicheIndex * (SAMPLE_NICHES.length + 1)) % SLOTS;
  // One step further in each fifth, so the channels of a niche have different courses.
  const deal = slot + Math.floor(slot / SAMPLE_NICHES.length);
  const course = courses[deal % courses.length];
  if (!course) throw new RangeError("A role without a course");
  return {
    ...rest,
    size,
    creator,
    id: getSampleChannelId(handle),
    niche,
    course,
    seed: hash(handle).readInt32BE(),
    base: interpolate(size.subscribers, hashToShare(handle, "subscribers")),
    phase: (course.days * slot) / SLOTS,
    uploadsPerDay: interpolate(size.uploadsPerYear, hashToShare(handle, "uploads")) / 365,
    viewsPerSubscriberAndDay: interpolate([0.05, 0.25], hashToShare(handle, "views")),
  };
}

function getStatsAt(channel: Channel, at: Date): ChannelStats | null {
  const { course, base, phase } = channel;
  const age = Math.max(0, (at.getTime() - EPOCH) / DAY);
  const uneven = age + computeWobble(channel.seed, age);
  // Jumps and absences keep to the day.
  const isExact = course.jump !== undefined || channel.absent !== undefined;
  const time = Math.max(0, (isExact ? age : uneven) + phase);
  const round = Math.floor(time / course.days);
  const day = time - round * course.days;
  const [climbed, fallen, top] = [course.climb(day), course.fall(day), course.climb(course.days)];
  if (channel.absent === "always" || (channel.absent === "while falling" && climbed === top)) return null;

  const climbs = round * top + climbed;
  const [name, handle, country] = channel.creator;
  return {
    channelId: channel.id,
    name,
    handle,
    thumbnailUrl: null,
    country,
    subscribers: channel.hidesSubscribers ? null : roundToThreeDigits(base * Math.exp(course.start + climbed - fallen)),
    views: Math.floor(base * (Math.max(0, uneven) * channel.viewsPerSubscriberAndDay + climbs * VIEWS_PER_CLIMB)),
    videos: Math.floor(age * channel.uploadsPerDay),
  };
}

/** The channel as its videos need it, with the jumps of its last two courses. */
function toUploader(channel: Channel, now: Date): SampleUploader {
  const { creator, course, base, phase } = channel;
  const { days, jump } = course;
  const round = Math.floor(((now.getTime() - EPOCH) / DAY + phase) / days);
  const slot = Math.round((phase / days) * SLOTS);
  const jumps = [round - 1, round].map((number) => ({
    at: EPOCH + (number * days - phase) * DAY,
    gained: base * Math.exp(course.start) * ((jump ?? 1) - 1),
    number: number + slot,
  }));
  return { ...channel, country: creator[2], subscribers: base, epoch: EPOCH, jumps: jump ? jumps : [] };
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
