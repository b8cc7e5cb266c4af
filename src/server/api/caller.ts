import { createFieldError } from "@/core/errors";
import { SANDBOX_KEY } from "@/features/keys/rules";
import type { Key } from "@/features/keys/schema";
import { requireHash } from "@/features/keys/service";
import { CLOCK_HEADER, SESSION_HEADER } from "@/features/sandbox/schema";
import { createLimitError } from "@/features/usage/quota.service";
import { admitRequest } from "@/features/usage/service";
import type { AppContext } from "@/server/context";
import { buildRateHeaders, type RequestContext } from "./request";
import { runInSandbox } from "./sandbox";

/** The key that makes a request, and the context of its verbs. */
export interface Caller {
  ctx: AppContext;
  key: Key;
  usedToday: number;
}

/** Refuses what cannot be a key, without a look-up. @throws AppError `unauthorized` */
export function requireKeyForm(ctx: AppContext, presented: string | null): void {
  if (presented !== SANDBOX_KEY || !ctx.sandbox) requireHash(presented);
}

/**
 * Authenticates a request, counts it, and runs work for its key: the only way in for a key of the API. Sets the headers
 * that every answer to the key has.
 * @param presented the key
 * @returns the answer of the work, marked where it is the sandbox's
 * @throws AppError `unauthorized`, `quota_exceeded`
 */
export async function withCaller<T extends object>(
  context: RequestContext,
  presented: string | null,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { ctx, request, headers } = context;
  if (presented === SANDBOX_KEY && ctx.sandbox) return runInSandbox(context, ctx.sandbox, work);
  const { key, state, expiresAt } = await admitRequest(ctx, presented);
  context.keyId = key.id;
  Object.assign(headers, buildRateHeaders(state), expiresAt && { "X-Key-Expires": expiresAt });
  if (!state.granted) {
    ctx.metrics.recordRefusal(key.tier);
    throw createLimitError(state);
  }
  const sandboxOnly = [CLOCK_HEADER, SESSION_HEADER].find((name) => request.headers.has(name));
  if (sandboxOnly) throw createFieldError(sandboxOnly, "works with the sandbox key only");
  return work({ ctx, key, usedToday: state.used });
}
