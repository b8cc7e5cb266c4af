import type { Env } from "@/core/env";
import { AppError } from "@/core/errors";
import { CLIENT_ADDRESS_HEADER } from "@/core/http/client-address";
import type { Session } from "@/core/http/session";
import type { SessionDoor } from "@/core/http/trpc";
import { instant, SECOND } from "@/core/time";
import type { SignedInKey } from "@/features/keys/schema";
import { standingKey } from "@/features/keys/service";
import { isRenewalDue, PAGE_KEY_HEADER, sessionEnd } from "@/features/keys/sessions.rules";
import { beginSession, endSession } from "@/features/keys/sessions.service";
import type { AppContext, ServiceContext } from "./context";

/** More cookies of one name are of nobody's browser. */
const MOST_COOKIES = 8;

/** With https the name itself makes browsers insist on Secure and on this very host. */
export function sessionCookieName({ appUrl }: Pick<Env, "appUrl">): string {
  return isHttps(appUrl) ? "__Host-session" : "session";
}

/**
 * The session in a cookie's value and the key it stands for. Both are read from the database, so that
 * signing out, or revoking or rotating the key, ends the session at once.
 * @throws AppError `unauthorized`
 */
export async function standingSession(
  ctx: AppContext,
  cookie: string | undefined,
): Promise<{ session: Session; key: SignedInKey }> {
  const session = cookie ? await ctx.sessions.open(cookie) : null;
  if (!session || sessionEnd(session) <= ctx.clock.now().getTime()) throw signedOut();
  return { session, key: await standingKey(ctx, session.keyId, session) };
}

/** The session of one request; what happens to it is told in the answer's headers. */
export function sessionDoor(ctx: AppContext, request: Request, answer: Headers): SessionDoor<SignedInKey> {
  const set = async (session: Session) => {
    const left = Math.floor((sessionEnd(session) - ctx.clock.now().getTime()) / SECOND);
    answer.append("Set-Cookie", cookie(ctx.env, await ctx.sessions.seal(session), left));
  };
  const cookies = sessionCookiesOf(ctx, request.headers.get("cookie"));
  const given = onlyOf(cookies);
  const endGiven = async () => {
    for (const value of cookies) {
      const session = await ctx.sessions.open(value);
      if (session) await endSession(ctx, session.id);
    }
  };
  let asked: Promise<SignedInKey> | null = null;
  const ask = async () => {
    const { session, key } = await standingSession(ctx, given);
    // A page that shows one key neither shows nor changes what is of another.
    if ((request.headers.get(PAGE_KEY_HEADER) ?? key.id) !== key.id) throw signedOut();
    const now = ctx.clock.now();
    if (isRenewalDue(session, now)) await set({ ...session, seenAt: now.getTime() });
    return key;
  };
  return {
    // The calls of one batch ask once.
    caller() {
      asked ??= ask();
      return asked;
    },
    async open({ id, stamp }) {
      const now = ctx.clock.now().getTime();
      const begun = await beginSession(ctx, id);
      // Last of all: until the browser has the new cookie, its other tabs still ask with the old one.
      await endGiven();
      await set({ id: begun, keyId: id, stamp, begunAt: now, seenAt: now });
    },
    async close() {
      await endGiven();
      answer.append("Set-Cookie", cookie(ctx.env, "", 0));
    },
  };
}

/** Where a request came from: told by the launcher, or by the host's own proxy where there is no launcher. */
export function clientAddressOf({ env }: ServiceContext, { headers }: Request): string {
  if (env.serverless) return headers.get("x-forwarded-for")?.split(",")[0]?.trim() ?? "";
  return headers.get(CLIENT_ADDRESS_HEADER) ?? "";
}

function cookie(env: Env, value: string, seconds: number): string {
  const expires = seconds > 0 ? "" : `; Expires=${instant(0).toUTCString()}`;
  const secure = isHttps(env.appUrl) ? "; Secure" : "";
  return `${sessionCookieName(env)}=${value}; Path=/; Max-Age=${seconds}${expires}; HttpOnly; SameSite=Lax${secure}`;
}

/** What the session cookie among a request's cookies holds, proven or not; nothing where there are two. */
export function sessionCookieOf(
  { env }: Pick<ServiceContext, "env">,
  cookies: string | null | undefined,
): string | undefined {
  return onlyOf(sessionCookiesOf({ env }, cookies));
}

function sessionCookiesOf(
  { env }: Pick<ServiceContext, "env">,
  cookies: string | null | undefined,
): string[] {
  const start = `${sessionCookieName(env)}=`;
  const pairs = (cookies ?? "").split(/;\s*/).filter((pair) => pair.startsWith(start));
  return pairs.slice(0, MOST_COOKIES).map((pair) => pair.slice(start.length));
}

function onlyOf(values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}

function signedOut(): AppError {
  return new AppError("unauthorized", "Please sign in with your API key");
}

function isHttps(url: string): boolean {
  return url.startsWith("https:");
}
