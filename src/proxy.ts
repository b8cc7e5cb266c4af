import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { type Env, readEnv } from "@/core/env";
import { NONCE_HEADER, pageProtection } from "@/server/protection";

/** Everything but the API, which protects its own answers, and files that are the same for everybody. */
export const config = { matcher: "/((?!api$|api/|_next/static/|icon\\.svg$).*)" };

let env: Env | undefined;

/** Called by Next before each page: gives it a nonce, and its answer the headers that protect it. */
export function proxy(request: NextRequest): NextResponse {
  env ??= readEnv();
  const nonce = randomBytes(16).toString("base64");
  const headers = pageProtection({
    nonce,
    path: request.nextUrl.pathname,
    appUrl: env.appUrl,
    isDevelopment: env.mode === "development",
  });
  const asked = new Headers(request.headers);
  asked.set(NONCE_HEADER, nonce);
  // Whence Next takes the nonce for the scripts it writes.
  asked.set("Content-Security-Policy", headers["Content-Security-Policy"] ?? "");
  const answer = NextResponse.next({ request: { headers: asked } });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}
