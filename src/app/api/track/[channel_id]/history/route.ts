import { creatorHistory } from "@/features/creators/history.service";
import { historyContract } from "@/features/creators/schema";
import { endpoint, resource } from "@/server/rest";

// /api/track/{channel_id}/history – the daily readings of a tracked creator
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(historyContract, async ({ ctx, key, params: { channel_id } }) => ({
    channel_id,
    history: await creatorHistory(ctx, key.id, channel_id),
  })),
);
