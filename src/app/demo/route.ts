import { isSameOrigin } from "@/core/http/same-origin";
import { createDemoCookie, findSignedInKey } from "@/server/console/session";
import { getAppContext } from "@/server/context";

/** Opens the console of the demo, read-only. A reader who is signed in stays so. */
export async function POST(request: Request): Promise<Response> {
  const ctx = getAppContext();
  const isAllowed = ctx.env.demoKeyId !== null && isSameOrigin(request.headers, ctx.env.appUrl);
  const answer = new Headers({ Location: isAllowed ? "/overview" : "/", "Cache-Control": "no-store" });
  const isSignedOut = isAllowed && !(await findSignedInKey(ctx, request.headers.get("cookie")));
  if (isSignedOut) answer.append("Set-Cookie", await createDemoCookie(ctx));
  return new Response(null, { status: 303, headers: answer });
}
