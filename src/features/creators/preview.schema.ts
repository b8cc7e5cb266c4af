import { z } from "zod";
import { ChannelNames, type Creator, type ItemError } from "./schema";

/** A channel before it is tracked, for the console. */
export interface ChannelPreview
  extends Pick<
    Creator,
    "channel_id" | "name" | "handle" | "url" | "thumbnail_url" | "country" | "counts" | "subscribers"
  > {
  is_tracked: boolean;
}

export const PreviewInput = z.object({ channels: ChannelNames });

/** How many look-ups of channels the key has made on this UTC day, and may make. */
export interface LookupAllowance {
  lookups_today: number;
  lookups_limit: number;
}

export interface PreviewAnswer extends LookupAllowance {
  /** One for each channel, in the same order. */
  results: ({ channel: ChannelPreview } | ItemError)[];
}
