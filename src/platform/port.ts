import type { CoreContext } from "@/core/context";
import { AppError, isNamed } from "@/core/errors";

/** A channel as the video platform shows it at one instant. */
export interface ChannelReading {
  /** `UC` and 22 characters. */
  channelId: string;
  name: string;
  /** With its leading `@`; null when the channel has none. */
  handle: string | null;
  thumbnailUrl: string | null;
  /** ISO 3166-1 alpha-2, upper case; null when not stated. */
  country: string | null;
  /** Null when the channel hides it. From 1,000 up rounded down to three significant figures. */
  subscribers: number | null;
  views: number | null;
  videos: number | null;
}

/** The ways in which a channel can be named. */
export type ChannelReference =
  | { kind: "id"; id: string }
  /** With its leading `@`. */
  | { kind: "handle"; handle: string }
  | { kind: "username"; username: string };

/** The most ids one `channels` call takes. */
export const CHANNELS_PER_CALL = 50;

/**
 * What a call is made for: the daily run, or anything else, also what a client waits for. `spare` calls are refused as
 * `quota_exhausted` while what is left of the day's allowance is needed by the next daily run.
 */
export type PlatformUse = "run" | "spare";

/**
 * The video platform as the product sees it. Adapters throw a {@link PlatformError} and nothing else when the
 * platform does not answer as it should.
 */
export interface VideoPlatform {
  /** Whether its numbers are made up, read from a file, or real. */
  readonly name: "sample" | "history" | "youtube";
  /**
   * Reads up to {@link CHANNELS_PER_CALL} channels in one upstream call, in no particular order. Channels that do
   * not exist, were terminated or never existed are absent from the answer.
   */
  channels(ids: readonly string[], use?: PlatformUse): Promise<ChannelReading[]>;
  /** Reads one channel by any of its names, as a `spare` call; null when there is none. */
  find(reference: ChannelReference): Promise<ChannelReading | null>;
  /** Ids of channels that make videos on a niche, most relevant first. One scarce call on real platforms. */
  search(niche: string): Promise<string[]>;
  /** Niches worth suggesting to a reader. */
  readonly niches: readonly string[];
}

export type PlatformFailure =
  /** The day's allowance of the platform is spent until `retryAfter` seconds from now. */
  | "quota_exhausted"
  /** Too many calls in a short time. */
  | "rate_limited"
  /** The platform refuses our credentials: the operator must act. */
  | "forbidden"
  /** Down, slow, or answering garbage. */
  | "unavailable";

/** The platform could not answer. REST clients see 503 with Retry-After and no detail. */
export class PlatformError extends AppError {
  constructor(
    readonly failure: PlatformFailure,
    /** For logs and the operator. */
    readonly detail: string,
    retryAfter = 60,
    cause?: unknown,
  ) {
    super("unavailable", "The video platform cannot answer right now; please try again later", {
      retryAfter,
      cause,
    });
    this.name = "PlatformError";
  }
}

/** Whether it is a PlatformError, of whatever bundle. */
export function isPlatformError(value: unknown): value is PlatformError {
  return isNamed(value, "PlatformError");
}

/** What verbs that talk to the video platform need. */
export interface PlatformContext extends CoreContext {
  platform: VideoPlatform;
}
