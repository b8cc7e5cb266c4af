import { listTrackedContract, trackContract } from "@/features/creators/contracts.schema";
import { listTracked, trackCreator, trackCreators } from "@/features/creators/service";
import { endpoint, resource } from "@/server/rest";

// /api/track – the creators a key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(trackContract, async ({ ctx, key, body: { channel_id, channel_ids = [] } }) => {
    if (!channel_id) return trackCreators(ctx, key.id, channel_ids);
    const creator = await trackCreator(ctx, key.id, channel_id);
    return { message: `Now tracking ${creator.name}`, creator };
  }),
  endpoint(listTrackedContract, ({ ctx, key, query }) => listTracked(ctx, key.id, query)),
);
