import { z } from "zod";
import { AppError, isAppError } from "@/core/errors";
import { clientFailure } from "@/core/http/failure";
import type { Key } from "@/features/keys/schema";
import { authenticate } from "@/features/keys/service";
import { type ReadBody, readJsonObject } from "./input";
import type { RequestContext } from "./request-context";
import { admitRequest } from "./rest";

/** Who sends a message. A tool call over the daily limit is refused in its result, so that the agent reads why. */
export type Caller = { key: Key; usedToday: number } | { refusal: AppError };

/**
 * Answers one message of the Model Context Protocol with JSON, without a session. A tool call counts one request of its
 * key, other messages none.
 * @throws AppError `forbidden` for a page of another site, `unauthorized`, or what is wrong with the body
 */
export async function serveMcp(context: RequestContext): Promise<Response> {
  const { request, body, headers, ctx } = context;
  refuseOtherSites(request.headers, ctx.env.appUrl);
  try {
    const caller = await findCaller(context, isToolCall(body));
    const message = readJsonObject(request.headers, body);
    // Only once it is needed: the protocol's library is large.
    const { answerMessage } = await import("./mcp-server");
    return await answerMessage(context, message, caller);
  } catch (error) {
    if (clientFailure(error)?.code === "unauthorized") headers["WWW-Authenticate"] = "Bearer";
    throw error;
  }
}

function refuseOtherSites(headers: Headers, appUrl: string): void {
  const origin = headers.get("origin");
  if (origin !== null && origin !== new URL(appUrl).origin)
    throw new AppError("forbidden", "Pages of other sites must not use this address");
}

const ToolCall = z.object({ id: z.union([z.string(), z.number()]), method: z.literal("tools/call") });

/** Whether a body is a tool call; an unreadable one is none. */
function isToolCall(body: ReadBody): boolean {
  try {
    return ToolCall.safeParse(JSON.parse(body())).success;
  } catch {
    return false;
  }
}

async function findCaller(context: RequestContext, isCounted: boolean): Promise<Caller> {
  const presented = presentedKey(context.request.headers);
  if (!isCounted) return { key: await authenticate(context.ctx, presented), usedToday: 0 };
  try {
    return await admitRequest(context, presented);
  } catch (error) {
    if (isAppError(error) && error.code === "quota_exceeded") return { refusal: error };
    throw error;
  }
}

/** The key of `X-API-Key` or `Authorization: Bearer`. */
function presentedKey(headers: Headers): string | null {
  const [, bearer = null] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return headers.get("x-api-key") ?? bearer;
}
