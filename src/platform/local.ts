import { CHANNELS_PER_CALL, type ChannelStats, type VideoPlatform } from "./port";

/** What a platform inside this process knows. */
interface LocalChannels {
  /** A channel's statistics now; null when there is none. */
  read(channelId: string): ChannelStats | null;
  /** The id of a channel by its name, in lower case and without `@`. */
  findId(name: string): string | undefined;
  search(niche: string): string[];
}

/** A platform inside this process, which costs no quota. */
export function createLocalPlatform(name: "sample" | "history", channels: LocalChannels): VideoPlatform {
  const { read, findId, search } = channels;
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
    search: async (niche) => search(niche),
  };
}
