import type { CoreContext } from "@/db/context";
import type { Key } from "@/features/keys/schema";
import { asKeyId, hashOf } from "@/features/keys/service";
import { type Quota, type RateState, rateState } from "./quota.service";

/**
 * Authenticates a key and counts one request of its day.
 * @throws AppError `unauthorized`, the same for a missing, mistyped, unknown or revoked key
 */
export async function admit(
  ctx: CoreContext & { quota: Quota },
  presented: string | null,
): Promise<{ key: Key; state: RateState }> {
  const asked = ctx.clock.now();
  const admission = await ctx.quota.admit(hashOf(presented));
  const { keyId, tier } = admission;
  return { key: { id: asKeyId(keyId), tier }, state: rateState(asked, tier, admission) };
}
