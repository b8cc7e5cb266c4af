import { listTrackedContract, trackContract } from "@/features/creators/schema";
import { listTracked, trackCreator } from "@/features/creators/service";
import { endpoint, resource } from "@/server/rest";

// /api/track – the creators a key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(trackContract, async ({ ctx, key, body }) => {
    const creator = await trackCreator(ctx, key.id, body.channel_id);
    return { message: `Now tracking ${creator.name}`, creator };
  }),
  endpoint(listTrackedContract, ({ ctx, key, query }) => listTracked(ctx, key.id, query)),
);
