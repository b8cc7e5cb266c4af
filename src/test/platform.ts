import { addDays, type Clock, type Day, toUtcDay } from "@/core/time";
import { CHANNELS_PER_CALL, type ChannelStats, type ChannelVideo, type VideoPlatform } from "@/platform/port";

/** A valid channel id made from a number. */
export function createChannelId(number: number): string {
  return `UCtest${String(number).padStart(18, "0")}`;
}

export interface FakePlatform extends VideoPlatform {
  /** Number of calls for channels. */
  calls: number;
  /** Errors of the next calls, one each; null lets a call succeed. */
  failures: (Error | null)[];
  /** Sets what the platform shows of a channel from a day on. */
  show(id: string, day: Day, subscribers: number | null, more?: Partial<ChannelStats>): void;
  /** Sets the newest videos of a channel; without them there are none. An error is what a reading of them throws. */
  showVideos(id: string, videos: ChannelVideo[] | Error): void;
  /** Removes the channel from that day on. */
  hide(id: string, day: Day): void;
}

/** A fake platform; the test sets every answer. */
export function createFakePlatform(clock: Clock): FakePlatform {
  const shown = new Map<string, Map<Day, ChannelStats | null>>();
  const shownVideos = new Map<string, ChannelVideo[] | Error>();
  const listStats = (id: string): ChannelStats[] => {
    for (let day = toUtcDay(clock.now()), back = 0; back < 60; back++, day = addDays(day, -1)) {
      const stats = shown.get(id)?.get(day);
      if (stats !== undefined) return stats ? [stats] : [];
    }
    return [];
  };
  const set = (id: string, day: Day, stats: ChannelStats | null) => {
    shown.set(id, (shown.get(id) ?? new Map()).set(day, stats));
  };
  return {
    name: "sample",
    searchesAreFree: false,
    calls: 0,
    failures: [],
    async listChannels(ids) {
      this.calls++;
      const failure = this.failures.shift();
      if (failure) throw failure;
      if (ids.length > CHANNELS_PER_CALL) throw new RangeError("too many ids");
      return { channels: ids.flatMap(listStats), unread: [] };
    },
    async find(reference) {
      return reference.kind === "id" ? (listStats(reference.id)[0] ?? null) : null;
    },
    async listRecentVideos(id) {
      const videos = shownVideos.get(id) ?? [];
      if (videos instanceof Error) throw videos;
      return videos;
    },
    search: async () => [],
    showVideos: (id, videos) => void shownVideos.set(id, videos),
    show(id, day, subscribers, more) {
      set(id, day, {
        channelId: id,
        name: `Channel ${id.slice(-4)}`,
        handle: null,
        thumbnailUrl: null,
        country: null,
        subscribers,
        views: 1000,
        videos: 10,
        ...more,
      });
    },
    hide: (id, day) => set(id, day, null),
  };
}
