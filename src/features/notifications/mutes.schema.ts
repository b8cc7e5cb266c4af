import { z } from "zod";
import { Pagination } from "@/core/http/page";
import { CHANNEL_ID } from "@/features/creators/addresses.rules";
import { ChannelId, ChannelName, describeChannel } from "@/features/creators/schema";

export const MuteInput = z.object({ channel_id: z.string().regex(CHANNEL_ID, "must be a channel id") });

export type MutedCreator = z.output<typeof MutedCreator>;
export const MutedCreator = z
  .object({
    channel_id: ChannelId,
    name: z.string().describe("Name of the channel"),
    muted_at: z.iso.datetime().describe("When your key muted it, UTC"),
  })
  .meta({ id: "MutedCreator", description: "A creator whose alerts come without emails" });

export const MutedPage = z.object({
  pagination: Pagination,
  creators: z.array(MutedCreator).describe("In the order of their names"),
});

/** A creator to mute, by any of its names. */
export const MuteChannel = z.object({
  channel_id: ChannelName.meta(describeChannel("A channel id, an @handle, or a channel URL with one of them")),
});

export const MuteResult = z.object({
  message: z.string().describe("What was done, in one sentence"),
  channel_id: ChannelId,
  is_muted: z.boolean().describe("Whether emails about the creator are stopped"),
});
