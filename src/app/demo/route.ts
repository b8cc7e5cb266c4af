import { isUnauthorized } from "@/core/errors";
import { isSameOrigin } from "@/core/http/same-origin";
import { createDemoCookie, requireActiveSession } from "@/server/console/session";
import { type AppContext, getAppContext } from "@/server/context";

/** Opens the console of the demo, read-only. A reader who is signed in stays so. */
export async function POST(request: Request): Promise<Response> {
  const ctx = getAppContext();
  const isAllowed = ctx.env.demoKeyId !== null && isSameOrigin(request.headers, ctx.env.appUrl);
  const answer = new Headers({ Location: isAllowed ? "/overview" : "/", "Cache-Control": "no-store" });
  if (isAllowed && !(await isSignedIn(ctx, request))) answer.append("Set-Cookie", await createDemoCookie(ctx));
  return new Response(null, { status: 303, headers: answer });
}

async function isSignedIn(ctx: AppContext, { headers }: Request): Promise<boolean> {
  try {
    await requireActiveSession(ctx, headers.get("cookie"));
    return true;
  } catch (error) {
    if (isUnauthorized(error)) return false;
    throw error;
  }
}
