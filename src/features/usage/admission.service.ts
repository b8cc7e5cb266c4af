import type { CoreContext } from "@/db/context";
import { requireHash, toKeyId } from "@/features/keys/service";
import { getRateState, type Quota, } from "./quota.service";

/**
 * Authenticates a key and counts one request of its day. `expiresAt` is when the secret ends that a rotation replaced.
 * @throws AppError `unauthorized`, the same for a missing, mistyped, unknown or revoked key
 */
export async function admitRequest(ctx: CoreContext & { quota: Quota }, presented: string | null) {
  const requestedAt = ctx.clock.now();
  const admission = await ctx.quota.admit(requireHash(presented));
  const { keyId, tier, expiresAt } = admission;
  return { key: { id: toKeyId(keyId), tier }, state: getRateState(requestedAt, tier, admission), expiresAt };
}
