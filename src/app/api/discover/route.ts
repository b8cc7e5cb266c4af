import { discoverContract } from "@/features/discovery/schema";
import { discover } from "@/features/discovery/service";
import { endpoint, resource } from "@/server/rest";

// /api/discover – creators of a niche
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(discoverContract, ({ ctx, key, query }) => discover(ctx, key, query)),
);
