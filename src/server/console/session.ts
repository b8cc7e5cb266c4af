import { randomUUID } from "node:crypto";
import type { Env } from "@/core/env";
import { AppError, isUnauthorized } from "@/core/errors";
import { SECOND } from "@/core/time";
import type { SignedInKey } from "@/features/keys/schema";
import { requireActiveKey } from "@/features/keys/service";
import type { RequestSession } from "@/features/procedures";
import { getSessionEnd, isRenewalDue, PAGE_KEY_HEADER } from "@/features/sessions/rules";
import type { Session } from "@/features/sessions/seal.rules";
import { beginSession, endSession } from "@/features/sessions/service";
import type { AppContext } from "@/server/context";
import { isSecure } from "@/server/protection";

/** A browser sends one. */
const MAX_COOKIES = 8;

/** Whether a browser says that it is signed in. The session may have ended. */
export function hasSession(env: Env, cookies: string | null): boolean {
  return listSessionCookies(env, cookies).length > 0;
}

/** Always read from the database: signing out, revoking or rotating the key ends the session at once. */
async function requireActiveSession(ctx: AppContext, cookies: string | null) {
  const [sealed = "", ...others] = listSessionCookies(ctx.env, cookies);
  const session = others.length === 0 ? await ctx.sessions.open(sealed) : null;
  if (!session || getSessionEnd(session) <= ctx.clock.now().getTime()) throw createSignedOutError();
  const { keyId, isDemo } = session;
  if (isDemo && keyId !== ctx.env.demoKeyId) throw createSignedOutError();
  return { session, key: { ...(await requireActiveKey(ctx, keyId, session)), ...(isDemo && { isDemo }) } };
}

/** The key of the reader's session; null for readers who are signed out. */
export async function findSignedInKey(ctx: AppContext, cookies: string | null): Promise<SignedInKey | null> {
  try {
    return (await requireActiveSession(ctx, cookies)).key;
  } catch (error) {
    if (isUnauthorized(error)) return null;
    throw error;
  }
}

export function createRequestSession(ctx: AppContext, request: Request, answer: Headers): RequestSession {
  const cookies = request.headers.get("cookie");
  const set = async (session: Session) => answer.append("Set-Cookie", await createCookie(ctx, session));
  const endAll = async () => {
    for (const value of listSessionCookies(ctx.env, cookies)) {
      const session = await ctx.sessions.open(value);
      if (session) await endSession(ctx, session.id);
    }
  };
  const read = async () => {
    const { session, key } = await requireActiveSession(ctx, cookies);
    // A page that shows one key neither shows nor changes data of another.
    if ((request.headers.get(PAGE_KEY_HEADER) ?? key.id) !== key.id) throw createSignedOutError();
    const now = ctx.clock.now();
    if (isRenewalDue(session, now)) await set({ ...session, seenAt: now.getTime() });
    return key;
  };
  let pending: Promise<SignedInKey> | undefined;
  return {
    // Once for all calls of a batch.
    caller() {
      pending ??= read();
      return pending;
    },
    async open({ id, stamp }) {
      const now = ctx.clock.now().getTime();
      const begun = await beginSession(ctx, id);
      // Last, because other tabs of the browser use the old cookie until the new one arrives.
      await endAll();
      await set({ id: begun, keyId: id, stamp, begunAt: now, seenAt: now });
    },
    async close() {
      await endAll();
      answer.append("Set-Cookie", formatCookie(ctx.env, "", 0));
    },
  };
}

/**
 * A cookie with a session of the demo.
 * @throws AppError `not_found` where the operator does not allow the demo
 */
export async function createDemoCookie(ctx: AppContext): Promise<string> {
  const { demoKeyId } = ctx.env;
  if (demoKeyId === null) throw new AppError("not_found", "This service has no demo");
  const { id: keyId, stamp } = await requireActiveKey(ctx, demoKeyId);
  const now = ctx.clock.now().getTime();
  const session = { id: randomUUID(), keyId, stamp, begunAt: now, seenAt: now, isDemo: true } as const;
  return createCookie(ctx, session);
}

/** A cookie that lasts as long as its session. */
async function createCookie({ clock, env, sessions }: AppContext, session: Session): Promise<string> {
  const seconds = Math.floor((getSessionEnd(session) - clock.now().getTime()) / SECOND);
  return formatCookie(env, await sessions.seal(session), seconds);
}

function formatCookie(env: Env, value: string, seconds: number): string {
  const secure = isSecure(env.appUrl) ? "; Secure" : "";
  return `${getCookieName(env)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

function listSessionCookies(env: Env, cookies: string | null): string[] {
  const start = `${getCookieName(env)}=`;
  const pairs = (cookies ?? "").split(/;\s*/).filter((pair) => pair.startsWith(start));
  return pairs.slice(0, MAX_COOKIES).map((pair) => pair.slice(start.length));
}

/** With https, the name makes browsers insist on Secure and on this host. */
function getCookieName(env: Env): string {
  return isSecure(env.appUrl) ? "__Host-session" : "session";
}

function createSignedOutError(): AppError {
  return new AppError("unauthorized", "Sign in with your API key");
}
