import { CHANNELS_PER_CALL, type ChannelStats, type ChannelVideo, type VideoPlatform } from "./port";

/** What a platform inside this process knows. */
interface LocalChannels {
  /** A channel's statistics now; null when there is none. */
  read(channelId: string): ChannelStats | null;
  /** The id of a channel by its name, in lower case and without `@`. */
  findId(name: string): string | undefined;
  search(niche: string): string[];
  /** A channel's newest videos; left out where none are known. */
  listVideos?(channelId: string): ChannelVideo[];
}

/** A platform inside this process, which costs no quota. */
export function createLocalPlatform(name: "sample" | "history", channels: LocalChannels): VideoPlatform {
  const { read, findId, search, listVideos } = channels;
  return {
    name,
    searchesAreFree: true,
    async listChannels(ids) {
      if (ids.length > CHANNELS_PER_CALL) throw new RangeError(`At most ${CHANNELS_PER_CALL} ids a call`);
      return { channels: [...new Set(ids)].map(read).filter((stats) => stats !== null), unread: [] };
    },
    async find(reference) {
      if (reference.kind === "id") return read(reference.id);
      const channel = reference.kind === "handle" ? reference.handle.replace(/^@/, "") : reference.username;
      return read(findId(channel.toLowerCase()) ?? "");
    },
    listRecentVideos: async (channelId) => listVideos?.(channelId) ?? null,
    search: async (niche) => search(niche),
  };
}
