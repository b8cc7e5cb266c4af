import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { AppError } from "@/core/errors";
import { DAY, HOUR, MINUTE, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { apiKeys } from "@/db/schema";
import { formatKeyHint, generateKey, hashKey } from "./rules";
import type { IssuedKey } from "./schema";
import { findKey } from "./service";

const UNITS = new Map([
  ["m", MINUTE],
  ["h", HOUR],
  ["d", DAY],
]);
const MAX_OVERLAP = 30 * DAY;
const OVERLAP_FORM = "must be a time from 1m to 30d, such as 90m, 24h or 7d";

/** How long the old secret works on, in milliseconds. */
export const OverlapInput = z
  .string()
  .regex(/^[1-9]\d{0,5}[mhd]$/, OVERLAP_FORM)
  .transform((text) => Number.parseInt(text, 10) * (UNITS.get(text.slice(-1)) ?? 0))
  .refine((milliseconds) => milliseconds <= MAX_OVERLAP, OVERLAP_FORM);

/**
 * Replaces the secret of a key; data, tier and counter stay. A secret that still worked from an earlier rotation ends.
 * @param overlap milliseconds that the replaced secret works on
 * @throws AppError `not_found`, or `invalid_request` for a revoked key
 */
export async function rotateKey(ctx: CoreContext, id: string, overlap = 0): Promise<IssuedKey> {
  const secret = generateKey();
  const now = ctx.clock.now();
  const previous = {
    previousSecretHash: overlap > 0 ? sql`${apiKeys.secretHash}` : null,
    previousWorksUntil: overlap > 0 ? toDate(now.getTime() + overlap) : null,
  };
  const rotated = await ctx.db
    .update(apiKeys)
    .set({ secretHash: hashKey(secret), hint: formatKeyHint(secret), rotatedAt: now, ...previous })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  const record = await findKey(ctx, id);
  if (rotated.length === 0) throw new AppError("invalid_request", `The key "${id}" is revoked. Issue a new key.`);
  return { record, secret };
}
