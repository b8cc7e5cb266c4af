import { AppError } from "@/core/errors";
import type { Reply } from "@/core/http/reply";
import type { AppContext } from "@/server/context";
import { openResource } from "./rest";

/** Only POST acts, so that a scanner that opens links changes nothing. Mail programs post too (RFC 8058) and get JSON. */
export function createLinkAction(page: string, act: (ctx: AppContext, token: string) => Promise<boolean>) {
  return openResource(`/api${page}`, {
    GET: async ({ request }) => redirectTo(page, { token: getToken(request) }),
    POST: async ({ ctx, request }) => {
      const done = await act(ctx, getToken(request));
      if (request.headers.get("sec-fetch-mode") === "navigate")
        return redirectTo(page, done ? { done: "yes" } : { token: getToken(request) });
      if (!done) throw new AppError("invalid_request", "The link is not valid");
      return {};
    },
  });
}

function getToken(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

function redirectTo(page: string, query: Record<string, string>): Reply {
  const headers = { Location: `${page}?${new URLSearchParams(query)}`, "Referrer-Policy": "no-referrer" };
  return { status: 303, headers, body: null };
}
