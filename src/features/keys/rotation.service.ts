import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { AppError } from "@/core/errors";
import type { Monitoring } from "@/core/mail/monitoring";
import { DAY, getSecondsToMidnight, HOUR, MINUTE, toDate, toUtcDay } from "@/core/time";
import { giveBack, take } from "@/db/allowance";
import type { CoreContext } from "@/db/context";
import { apiKeys } from "@/db/schema";
import { formatKeyHint, generateKey, hashKey } from "./rules";
import type { SignedInKey } from "./schema";
import { findKey, type IssuedKey } from "./service";

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };
const MAX_OVERLAP = 30 * DAY;
const OVERLAP_FORM = "must be a time from 1m to 30d, such as 90m, 24h or 7d";

/** How long the old secret works on, in milliseconds. */
export const OverlapInput = z
  .string()
  .regex(/^[1-9]\d{0,5}[mhd]$/, OVERLAP_FORM)
  .transform((text) => Number.parseInt(text, 10) * (UNITS[text.slice(-1)] ?? 0))
  .refine((milliseconds) => milliseconds <= MAX_OVERLAP, OVERLAP_FORM);

/**
 * Asks the operator to rotate a key, by the monitoring channel. Once a day, so that it stays a signal.
 * @throws AppError `too_many_attempts`, `unavailable` when the channel does not accept it
 */
export async function requestRotation(
  ctx: CoreContext & { monitoring: Pick<Monitoring, "notify"> },
  { id, label }: Pick<SignedInKey, "id" | "label">,
): Promise<void> {
  const now = ctx.clock.now();
  const once = { kind: "rotation_request", scope: { key: id }, day: toUtcDay(now) } as const;
  if (!(await take(ctx, once, 1)))
    throw new AppError("too_many_attempts", "You asked for a rotation today. The operator has your request.", {
      retryAfter: getSecondsToMidnight(now),
    });
  const text = `The owner of "${label}" asks for a rotation of the key. Do it: npm run keys -- rotate ${id} --overlap 24h`;
  await ctx.monitoring.notify(text).catch(async (cause) => {
    await giveBack(ctx, once);
    throw new AppError("unavailable", "The request could not be sent. Try again.", { retryAfter: 60, cause });
  });
}

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
  const { count } = await ctx.db
    .update(apiKeys)
    .set({ secretHash: hashKey(secret), hint: formatKeyHint(secret), rotatedAt: now, ...previous })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
  const record = await findKey(ctx, id);
  if (count === 0) throw new AppError("invalid_request", `The key "${id}" is revoked. Issue a new key.`);
  return { record, secret };
}
