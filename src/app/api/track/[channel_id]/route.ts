import { untrackContract } from "@/features/creators/schema";
import { untrackCreator } from "@/features/creators/service";
import { endpoint, resource } from "@/server/rest";

// /api/track/{channel_id} – one creator the key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(untrackContract, async ({ ctx, key, params: { channel_id } }) => {
    await untrackCreator(ctx, key.id, channel_id);
    return { message: "No longer tracked; its alerts stay", channel_id };
  }),
);
