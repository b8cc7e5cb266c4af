import { type AppContext, appContext } from "./context";

const NO_STORE = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };

/**
 * Route handlers of a signed link. Only POST acts, so that a mail scanner which opens links changes nothing: GET
 * leads to the page with the button. Mail programs post by themselves (RFC 8058) and get JSON, browsers the page.
 */
export function linkAction(page: string, act: (ctx: AppContext, token: string) => Promise<boolean>) {
  const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";
  return {
    GET: async (request: Request) => seeOther(page, { token: tokenOf(request) }),
    POST: async (request: Request) => {
      const ctx = appContext();
      try {
        const done = await act(ctx, tokenOf(request));
        if (request.headers.get("sec-fetch-mode") === "navigate")
          return seeOther(page, done ? { done: "yes" } : { token: tokenOf(request) });
        return done
          ? Response.json({ status: "ok" }, { headers: NO_STORE })
          : Response.json({ error: "The link is not valid" }, { status: 400, headers: NO_STORE });
      } catch (error) {
        ctx.log.error({ err: error, page }, "a link could not be acted on");
        return Response.json(
          { error: "Please try again" },
          { status: 503, headers: { ...NO_STORE, "Retry-After": "60" } },
        );
      }
    },
  };
}

function seeOther(page: string, query: Record<string, string>): Response {
  return new Response(null, {
    status: 303,
    headers: { ...NO_STORE, Location: `${page}?${new URLSearchParams(query)}` },
  });
}
