import { z } from "zod";
import { ChannelNames, Creator, ItemError } from "./schema";

/** A channel before it is tracked, for the console. */
export const ChannelPreview = Creator.pick({
  channel_id: true,
  name: true,
  handle: true,
  url: true,
  thumbnail_url: true,
  country: true,
  counts: true,
  subscribers: true,
}).extend({ is_tracked: z.boolean() });
export type ChannelPreview = z.output<typeof ChannelPreview>;

export const PreviewInput = z.object({ channels: ChannelNames });

/** How many look-ups of channels the key has made on this UTC day, and may make. */
export const LookupAllowance = z.object({
  lookups_today: z.int().min(0),
  lookups_limit: z.int().min(0),
});
export type LookupAllowance = z.output<typeof LookupAllowance>;

export const PreviewAnswer = LookupAllowance.extend({
  results: z
    .array(z.union([z.object({ channel: ChannelPreview }), ItemError]))
    .describe("One for each channel, in the same order"),
});
export type PreviewAnswer = z.output<typeof PreviewAnswer>;
