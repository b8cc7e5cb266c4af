import { usageContract } from "@/features/keys/usage.schema";
import { usageOf } from "@/features/keys/usage.service";
import { endpoint, resource } from "@/server/rest";

// /api/usage – the key's usage today
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(usageContract, ({ ctx, key, usedToday }) => usageOf(ctx, key, usedToday)),
);
