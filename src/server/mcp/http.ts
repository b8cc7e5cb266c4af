import { AppError } from "@/core/errors";
import { toClientError } from "@/db/client";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { authenticate } from "@/features/keys/service";
import { requireKeyForm } from "@/server/api/caller";
import { readJsonObject } from "@/server/api/input";
import type { RequestContext } from "@/server/api/request";

/** Refuses a caller before its message is read. @throws AppError `forbidden` for a page of another site, `unauthorized` */
export function checkAgent({ ctx, request, headers }: RequestContext): void {
  refuseOtherSites(request.headers, ctx.env.appUrl);
  try {
    requireKeyForm(ctx, getPresentedKey(request.headers));
  } catch (error) {
    headers["WWW-Authenticate"] = "Bearer";
    throw error;
  }
}

/**
 * Answers one message of the Model Context Protocol with JSON, without a session. A tool call counts one request of its
 * key, other messages none.
 * @throws AppError `unauthorized`, or what is wrong with the body
 */
export async function serveMcp(context: RequestContext): Promise<Response> {
  const { request, body, headers, ctx } = context;
  try {
    const presented = getPresentedKey(request.headers);
    if (presented !== SANDBOX_KEY || !ctx.sandbox) await authenticate(ctx, presented);
    const message = readJsonObject(request.headers, body);
    // Only once it is needed: the protocol's library is large.
    const { answerMessage } = await import("./server");
    return await answerMessage(context, presented, message);
  } catch (error) {
    if (toClientError(error)?.code === "unauthorized") headers["WWW-Authenticate"] = "Bearer";
    throw error;
  }
}

function refuseOtherSites(headers: Headers, appUrl: string): void {
  const origin = headers.get("origin");
  if (origin !== null && origin !== new URL(appUrl).origin)
    throw new AppError("forbidden", "Other websites cannot use this address from a browser");
}

/** The key of `X-API-Key` or `Authorization: Bearer`. */
function getPresentedKey(headers: Headers): string | null {
  const [, bearer = null] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return headers.get("x-api-key") ?? bearer;
}
