import { AppError, isNamed } from "@/core/errors";
import { HOUR, SECOND } from "@/core/time";
import type { CoreContext } from "@/db/context";
import type { BROADCASTS, UNIT_BUCKETS } from "@/db/values";

/** A channel's statistics as the platform answers them now. */
export interface ChannelStats {
  /** `UC` and 22 characters. */
  channelId: string;
  name: string;
  /** With its leading `@`; null when the channel has none. */
  handle: string | null;
  thumbnailUrl: string | null;
  /** ISO 3166-1 alpha-2, upper case; null when not stated. */
  country: string | null;
  /** Null when hidden. Counts from 1,000 up are rounded down to three significant digits. */
  subscribers: number | null;
  views: number | null;
  videos: number | null;
}

export type ChannelReference =
  | { kind: "id"; id: string }
  /** With its leading `@`. */
  | { kind: "handle"; handle: string }
  | { kind: "username"; username: string };

/** What the platform answers about a list of channels. Those in neither list do not exist or were terminated. */
export interface ChannelList {
  channels: ChannelStats[];
  /** Ids of channels that exist, but whose statistics have a field missing or of another type. */
  unread: string[];
}

/** A video of a channel as the platform answers it now. */
export interface ChannelVideo {
  videoId: string;
  title: string;
  /** When it became public; of a stream, when it went on air. In the future for an announced premiere. */
  publishedAt: Date;
  /** Null where the platform does not show it. */
  views: number | null;
  likes: number | null;
  comments: number | null;
  /** Null for a stream that is on air. */
  seconds: number | null;
  /** The state of a stream or premiere; null for other videos. */
  broadcast: (typeof BROADCASTS)[number] | null;
  thumbnailUrl: string | null;
}

/** Maximum number of ids per `channels` call. */
export const CHANNELS_PER_CALL = 50;

/**
 * The purpose of a call: the daily run, the cause of an alert, a creator's page, or anything else. All but `run` fail as
 * `quota_exhausted` while the next daily run needs the rest of the day's quota. Videos take a fifth of the day's quota at
 * most, those of pages only its first half.
 */
export type PlatformUse = "run" | "cause" | "page" | "spare";
export type VideoUse = Extract<PlatformUse, "cause" | "page">;

/** The platform has one allowance for searches and one for all other calls. */
export type UnitBucket = (typeof UNIT_BUCKETS)[number];

/** Counts the calls of the platform's daily allowance. */
export interface UnitLedger {
  /**
   * Takes one unit, before the call that costs it.
   * @param use what the call is for
   * @returns null when it was taken, else why not and seconds to wait
   */
  spend(bucket: UnitBucket, use: PlatformUse): Promise<UnitRefusal | null>;
  /** What `spend` would return now. Takes no unit. */
  findRefusal(bucket: UnitBucket, use: "run" | "spare"): Promise<UnitRefusal | null>;
  /** Records that the platform says a bucket is used up. Returns the seconds until a unit may be available. */
  markExhausted(bucket: UnitBucket): Promise<number>;
}

export interface UnitRefusal {
  /** The rest is reserved for the daily run, all is used up, or the share of videos is. */
  reason: "reserved" | "spent" | "share";
  retryAfter: number;
}

/** The video platform. Adapters throw only {@link PlatformError} when the platform fails. */
export interface VideoPlatform {
  /** The origin of its numbers: invented, from a file, or real. */
  readonly name: "sample" | "history" | "youtube";
  /** Whether searches and reads cost no quota. */
  readonly searchesAreFree: boolean;
  /** Reads up to {@link CHANNELS_PER_CALL} channels in one upstream call, in any order. */
  listChannels(ids: readonly string[], use?: PlatformUse): Promise<ChannelList>;
  /**
   * Reads one channel by any of its names, as a `spare` call; null when there is none.
   * @throws PlatformError also when its statistics cannot be read
   */
  find(reference: ChannelReference): Promise<ChannelStats | null>;
  /**
   * Reads the newest videos of a channel, 50 at most, in any order and in two upstream calls that are tried once. Empty
   * for a channel without public videos; null on a platform that knows no videos.
   */
  listRecentVideos(channelId: string, use: VideoUse): Promise<ChannelVideo[] | null>;
  /** Ids of channels of a niche, most relevant first. Costs one search of the platform's small daily quota. */
  search(niche: string): Promise<string[]>;
}

export type PlatformFailure =
  /** The daily quota is used up for `retryAfter` seconds. */
  | "quota_exhausted"
  | "rate_limited"
  /** The platform refuses the credentials: the operator must act. */
  | "forbidden"
  /** Down, slow, or an invalid answer. */
  | "unavailable";

const UNAVAILABLE = "The video platform is unavailable. Try again later.";

/** The platform failed. REST clients get 503 with Retry-After and the message, without the detail. */
export class PlatformError extends AppError {
  constructor(
    readonly failure: PlatformFailure,
    /** For logs and the operator. */
    readonly detail: string,
    retryAfter = 60,
    message = UNAVAILABLE,
  ) {
    super("unavailable", message, { retryAfter });
    this.name = "PlatformError";
  }
}

/** The platform shows the channel, but not in the form that it documents. */
export function createUnreadError(channelId: string): PlatformError {
  const detail = `the platform's answer about ${channelId} could not be read`;
  const message = "The platform's answer about this channel could not be read. Try again later.";
  return new PlatformError("unavailable", detail, HOUR / SECOND, message);
}

/** Whether a value is a PlatformError, of any bundle. */
export function isPlatformError(value: unknown): value is PlatformError {
  return isNamed(value, "PlatformError");
}

/** Whether the platform has no call left today. */
export function isExhausted(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.failure === "quota_exhausted";
}

export interface PlatformContext extends CoreContext {
  platform: VideoPlatform;
}
