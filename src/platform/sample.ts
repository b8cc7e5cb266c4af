import { type Clock, countDaysBetween, DAY, type Day, toDate } from "@/core/time";
import { createLocalPlatform } from "./local";
import type { ChannelStats, VideoPlatform } from "./port";
import {
  CASTS,
  findRole,
  listStagedEvents,
  type Role,
  SAMPLE_NICHES,
  type SampleCreator,
  SLOTS,
  STAGED_HANDLES,
} from "./sample-cast";
import { hash, type SampleEvent, SampleHistory, toShare } from "./sample-growth";
import { listSampleVideos, type SampleUploader } from "./sample-videos";

export { SAMPLE_NICHES };

type Channel = ReturnType<typeof createChannel>;

/** Start of all histories. A day of the sample platform begins at 06:00 UTC, the time of the daily run. */
const FIRST_DAY: Day = "2025-01-01";
const EPOCH = toDate(`${FIRST_DAY}T06:00:00Z`).getTime();
/** Days before it in which a channel already uploaded and was seen. */
const DAYS_BEFORE = 1500;
/** Days between two jumps anywhere on the platform. */
const JUMP_DISTANCE = 3;

/** The id of the sample channel with a handle, in the form of real ids. */
export function getSampleChannelId(handle: string): string {
  return `UC${hash(handle).subarray(0, 16).toString("base64url")}`;
}

/** Channels that jump around the day of a demo. */
export const STAGED_CHANNELS: readonly string[] = STAGED_HANDLES.map(getSampleChannelId);

/** A simulated platform: counts follow from channel and clock. @param demoDay around which channels jump, if any */
export function createSamplePlatform(clock: Clock, demoDay: Day | null = null): VideoPlatform {
  const staged = demoDay === null ? new Map() : listStagedEvents(countDaysBetween(FIRST_DAY, demoDay));
  const channels = CASTS.flatMap(({ niches, cast }) =>
    Object.entries(niches).flatMap(([niche, creators], nicheIndex) =>
      creators.map((creator, index) => createChannel(findRole(cast, index), creator, niche, nicheIndex, staged)),
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

function createChannel(
  role: Role,
  creator: SampleCreator,
  niche: string,
  nicheIndex: number,
  staged: ReadonlyMap<string, SampleEvent[]>,
) {
  const { size, jump, shift = 0, steady } = role;
  const [, handle] = creator;
  const slot = (shift * SAMPLE_NICHES.length + nicheIndex * (SAMPLE_NICHES.length + 1)) % SLOTS;
  const factor = jump?.factors[slot % jump.factors.length];
  const every = { day: JUMP_DISTANCE * slot, every: JUMP_DISTANCE * SLOTS, cause: slot };
  const events = jump && factor ? [{ ...jump, factor, ...every }] : [];
  return {
    ...role,
    creator,
    id: getSampleChannelId(handle),
    niche,
    base: interpolate(size.subscribers, toShare(handle, "subscribers")),
    uploadsPerDay: interpolate(size.uploadsPerYear, toShare(handle, "uploads")) / 365,
    history: new SampleHistory({
      seed: hash(handle).readInt32BE(),
      start: steady ? 0 : toShare(handle, "start"),
      pace: (size.pace / 100) * interpolate([1 / 3, 3], toShare(handle, "pace")),
      views: interpolate([0.02, 0.15], toShare(handle, "views")),
      events: staged.get(handle) ?? events,
      ...(steady && { steady }),
    }),
  };
}

function getStatsAt(channel: Channel, at: Date): ChannelStats | null {
  const { base, history, uploadsPerDay } = channel;
  const age = Math.max(0, (at.getTime() - EPOCH) / DAY);
  if (channel.isAbsent?.(Math.floor(age))) return null;
  const { growth, views } = history.getTotals(age);
  const [name, handle, country] = channel.creator;
  return {
    channelId: channel.id,
    name,
    handle,
    thumbnailUrl: null,
    country,
    subscribers: channel.hidesSubscribers ? null : roundToThreeDigits(base * Math.exp(growth)),
    views: Math.floor(base * (DAYS_BEFORE * history.plan.views + views)),
    videos: Math.floor((age + DAYS_BEFORE * (channel.size.uploadsPerYear[0] > 1 ? 1 : 0)) * uploadsPerDay),
  };
}

/** The channel as its videos need it, with its latest jumps. */
function toUploader(channel: Channel, now: Date): SampleUploader {
  const { creator, base, history } = channel;
  const age = (now.getTime() - EPOCH) / DAY;
  const jumps = history.plan.events.flatMap(({ day, every = Number.POSITIVE_INFINITY, factor, cause }) => {
    // It comes within the 24 hours before that day.
    const latest = every < age ? day + every * Math.floor((age + 1 - day) / every) : day;
    return [latest, latest - every]
      .filter((one) => one >= 1)
      .map((one) => ({
        at: EPOCH + (one - 1) * DAY,
        gained: base * Math.exp(history.getTotals(one - 1).growth) * (factor - 1),
        number: cause + Math.round(one / every),
      }));
  });
  return { ...channel, country: creator[2], subscribers: base, epoch: EPOCH - DAYS_BEFORE * DAY, jumps };
}

/** Rounds down to three significant digits, as the platform shows counts. */
export function roundToThreeDigits(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 2);
  return Math.floor(count / unit) * unit;
}

function interpolate([min, max]: readonly [number, number], share: number): number {
  return min * (max / min) ** share;
}
