import { usageContract } from "@/features/keys/usage.schema";
import { totalsInquiry, usageOf } from "@/features/keys/usage.service";
import { endpoint, resource } from "@/server/rest";

// /api/usage – what the key has used today
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(usageContract, async ({ key, usedToday, told }) => usageOf(key, usedToday, told), totalsInquiry),
);
