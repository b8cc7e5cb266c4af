import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { type Env, readEnv } from "@/core/env";
import { getPageHeaders, NONCE_HEADER } from "@/server/protection";

/** All pages; the API sets its own headers, static files need none. */
export const config = { matcher: "/((?!api$|api/|mcp/?$|_next/static/|icon\\.svg$|offline-worker\\.js$).*)" };

let env: Env | undefined;

/** Next calls this before each page: sets a nonce and the security headers. */
export function proxy(request: NextRequest): NextResponse {
  // In other case it is no page, but an unknown path of the API.
  if (/^\/api(\/|$)/i.test(request.nextUrl.pathname)) return NextResponse.rewrite(new URL("/api/unknown", request.url));
  env ??= readEnv();
  const nonce = randomBytes(16).toString("base64");
  const added = getPageHeaders({
    nonce,
    path: request.nextUrl.pathname,
    appUrl: env.appUrl,
    isDevelopment: env.mode === "development",
  });
  const headers = new Headers(request.headers);
  headers.set(NONCE_HEADER, nonce);
  // Next reads the nonce of its scripts from here.
  headers.set("Content-Security-Policy", added["Content-Security-Policy"] ?? "");
  const answer = NextResponse.next({ request: { headers } });
  for (const [name, value] of Object.entries(added)) answer.headers.set(name, value);
  return answer;
}
