import { eq } from "drizzle-orm";
import pLimit from "p-limit";
import { AppError, isAppError } from "@/core/errors";
import { formatCount } from "@/core/format";
import { type Day, toUtcDay } from "@/core/time";
import { getSpent, giveBack, takeUpTo } from "@/db/allowance";
import type { CoreContext } from "@/db/context";
import { apiKeys } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import { createUnknownKeyError } from "@/features/usage/quota.service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import {
  type ChannelReference,
  type ChannelStats,
  createUnreadError,
  isPlatformError,
  type PlatformContext,
  type PlatformError,
  type VideoPlatform,
} from "@/platform/port";
import {
  describeGuess,
  describeProblem,
  formatFieldProblem,
  formatProblem,
  type Guess,
  parseReference,
} from "./addresses.rules";
import { getReferenceName } from "./rules";
import { ItemError } from "./schema";

const CALLS_AT_ONCE = 5;

/** What was read for each channel, or why nothing was, by {@link getReferenceName}. */
type ReadChannels = ReadonlyMap<string, ChannelStats | AppError>;

/**
 * Reads channels from the platform: all ids in one call, each handle and user name in its own call, which
 * uses one of the key's daily look-ups. After a platform failure, the remaining channels get the same error.
 * @param idCost look-ups that the call for the ids uses
 */
export async function readChannels(
  ctx: PlatformContext,
  keyId: KeyId,
  references: readonly ChannelReference[],
  idCost = 0,
): Promise<ReadChannels> {
  const calls = planCalls(ctx.platform, references, idCost);
  const wanted = calls.reduce((sum, { cost }) => sum + cost, 0);
  const day = toUtcDay(ctx.clock.now());
  const { granted, limit } = await takeLookups(ctx, keyId, day, wanted);
  const found = new Map<string, ChannelStats | AppError>();
  let left = granted;
  let fault: PlatformError | null = null;
  await pLimit(CALLS_AT_ONCE).map(calls, async ({ names, cost, run }) => {
    const failure = fault ?? (left < cost ? createLookupsSpentError(limit) : null);
    if (!failure) left -= cost;
    const results = failure
      ? []
      : await run().catch((error) => {
          if (!isPlatformError(error)) throw error;
          fault ??= error;
          return names.map(() => error);
        });
    for (const [index, name] of names.entries())
      found.set(name, failure ?? results[index] ?? createChannelNotFoundError());
  });
  if (left > 0) await giveBack(ctx, lookups(keyId, day), left);
  return found;
}

/** Calls of the platform with the look-ups each costs. Each answers statistics in the order of its names. */
function planCalls(platform: VideoPlatform, references: readonly ChannelReference[], idCost: number) {
  const named = new Map(references.map((reference) => [getReferenceName(reference), reference]));
  const ids = [...named.values()].flatMap((reference) => (reference.kind === "id" ? [reference.id] : []));
  const fetchIds = async () => {
    const { channels, unread } = await platform.listChannels(ids, "spare");
    return ids.map((id) =>
      unread.includes(id) ? createUnreadError(id) : channels.find(({ channelId }) => channelId === id),
    );
  };
  return [
    ...(ids.length > 0 ? [{ names: ids, cost: idCost, run: fetchIds }] : []),
    ...[...named]
      .filter(([, { kind }]) => kind !== "id")
      .map(([name, reference]) => ({ names: [name], cost: 1, run: async () => [await platform.find(reference)] })),
  ];
}

const lookups = (keyId: KeyId, day: Day) => ({ kind: "lookup", scope: { key: keyId }, day }) as const;

/** Spends up to the wanted number of the key's look-ups of a day. */
async function takeLookups(ctx: CoreContext, keyId: KeyId, day: Day, wanted: number) {
  if (wanted === 0) return { granted: 0, limit: 0 };
  const limit = await getLookupsLimit(ctx, keyId);
  return { granted: await takeUpTo(ctx, lookups(keyId, day), limit, wanted), limit };
}

export type LookupAllowance = Awaited<ReturnType<typeof getLookupAllowance>>;

/** The key's look-ups used on this UTC day, and its tier's limit. */
export async function getLookupAllowance(ctx: CoreContext, keyId: KeyId) {
  const limit = await getLookupsLimit(ctx, keyId);
  const { used } = await getSpent(ctx, lookups(keyId, toUtcDay(ctx.clock.now())));
  return { lookups_today: used, lookups_limit: limit };
}

/** @throws AppError `unauthorized` when the key was deleted */
async function getLookupsLimit({ db }: CoreContext, keyId: KeyId): Promise<number> {
  const [key] = await db.select({ tier: apiKeys.tier }).from(apiKeys).where(eq(apiKeys.id, keyId));
  if (!key) throw createUnknownKeyError();
  return TIER_RULES[key.tier].lookupsPerDay;
}

/** Parses a channel by any of its names. @returns an AppError when the text names none */
export function parseName(text: string): ChannelReference | Guess | AppError {
  const parsed = parseReference(text);
  if (parsed.kind !== "other" && parsed.kind !== "none") return parsed;
  return new AppError("not_a_channel", formatProblem(describeProblem(text)));
}

/** The handle that a custom URL is taken for; other references as they are. */
export function acceptGuess(reference: ChannelReference | Guess): ChannelReference {
  return reference.kind === "guess" ? { kind: "handle", handle: reference.handle } : reference;
}

/** Marks an answer of a guess. */
export function describeResolution(reference: ChannelReference | Guess | AppError) {
  return "from" in reference ? { resolved_from: reference.from, certain: false as const } : {};
}

/** The error for a custom URL that the client did not accept as a guess. */
export function createGuessError(guess: Guess): AppError {
  const message = `${formatFieldProblem(describeGuess(guess))}, or accept_guess: true`;
  return new AppError("guess", `channel_id ${message}`, {
    issues: [{ field: "channel_id", message }],
    members: { resolved_from: guess.from, resolved_to: guess.handle, certain: false },
  });
}

/** The error of one channel of a list. */
export function toItemError(error: AppError): ItemError {
  return { code: ItemError.shape.code.parse(error.code), error: error.message };
}

/** The values without the errors. */
export function omitErrors<T extends object>(values: Iterable<T | AppError>): T[] {
  return [...values].flatMap((value) => (isAppError(value) ? [] : [value]));
}

/** Indexes the statistics by channel id. */
export function indexStats(found: ReadChannels): Map<string, ChannelStats> {
  return new Map(omitErrors(found.values()).map((reading) => [reading.channelId, reading]));
}

/** @throws PlatformError when the platform failed and nothing could be read */
export function requireAnswer(found: Iterable<object>): void {
  const all = [...found];
  const fault = all.find(isPlatformError);
  if (fault && all.every(isAppError)) throw fault;
}

export function createChannelNotFoundError(): AppError {
  return new AppError("not_found", "Channel not found on the platform");
}

function createLookupsSpentError(limit: number): AppError {
  const count = formatCount(limit);
  const message = `This key has used its ${count} look-ups today. They reset at midnight UTC. Channel ids need none.`;
  return new AppError("lookups_used_up", message, { issues: [{ field: "channel_id", message }] });
}

/** Whether a channel was not read because the key has no look-up left. */
export function isLookupsSpent(result: ChannelStats | AppError | undefined): boolean {
  return isAppError(result) && result.code === "lookups_used_up";
}
