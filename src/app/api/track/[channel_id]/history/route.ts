import { historyContract } from "@/features/creators/contracts.schema";
import { historyByQuery } from "@/features/creators/history.service";
import { trackedId } from "@/features/creators/rows.service";
import { endpoint, resource } from "@/server/rest";

// /api/track/{channel_id}/history – the daily readings of a tracked creator
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(historyContract, async ({ ctx, key, params, query }) =>
    historyByQuery(ctx, key.id, await trackedId(ctx, key.id, params.channel_id), query),
  ),
);
