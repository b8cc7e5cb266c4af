import { changesContract } from "@/features/changes/schema";
import { listChanges } from "@/features/changes/service";
import { endpoint, resource } from "@/server/rest";

// /api/changes – what changed for the key, in order
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(changesContract, ({ ctx, key, query }) => listChanges(ctx, key.id, query)),
);
