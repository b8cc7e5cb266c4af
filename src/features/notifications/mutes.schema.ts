import { z } from "zod";
import { CHANNEL_ID } from "@/features/creators/addresses.rules";

export const MuteInput = z.object({ channel_id: z.string().regex(CHANNEL_ID, "must be a channel id") });
export const MuteAnswer = z.object({ is_muted: z.boolean() });

/** The creators whose alerts a key gets without emails, by name. */
export const MutedCreators = z.object({
  creators: z.array(z.object({ channel_id: z.string(), name: z.string(), muted_at: z.iso.datetime() })),
});
export type MutedCreators = z.output<typeof MutedCreators>;
