import { trackedContract } from "@/features/creators/contracts.schema";
import { findTracked, findTrackedId } from "@/features/creators/rows.service";
import { untrackEndpoint } from "@/server/api/endpoints";
import { defineEndpoint, defineResource } from "@/server/api/rest";

// /api/track/{channel_id} – one creator the key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineResource(
  defineEndpoint(trackedContract, async ({ ctx, key, params }) => {
    const channelId = await findTrackedId(ctx, key.id, params.channel_id);
    return { creator: await findTracked(ctx, key.id, channelId) };
  }),
  untrackEndpoint,
);
