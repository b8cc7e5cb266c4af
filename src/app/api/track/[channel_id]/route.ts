import { trackedContract, untrackContract } from "@/features/creators/contracts.schema";
import { findTracked, trackedId } from "@/features/creators/rows.service";
import { untrackCreator } from "@/features/creators/service";
import { endpoint, resource } from "@/server/rest";

// /api/track/{channel_id} – one creator the key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(trackedContract, async ({ ctx, key, params }) => {
    const channelId = await trackedId(ctx, key.id, params.channel_id);
    return { creator: await findTracked(ctx, key.id, channelId) };
  }),
  endpoint(untrackContract, async ({ ctx, key, params }) => {
    const channel_id = await trackedId(ctx, key.id, params.channel_id);
    await untrackCreator(ctx, key.id, channel_id);
    return { message: "Tracking stopped. Alerts stay.", channel_id };
  }),
);
