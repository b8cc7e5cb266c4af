import { AppError } from "@/core/errors";
import type { AppContext } from "./context";
import type { Exchange } from "./exchange";
import type { ReadBody } from "./input";

/** The most an engine sends to a function. */
export const MAX_CALL_BYTES = 4 * 1024 * 1024;

/**
 * Hands a call of Inngest to the SDK, which checks its signature. The embedded engine calls the functions in process, so
 * with it every call from outside is refused.
 * @throws AppError `unauthorized`, or `payload_too_large` for more than an engine sends
 */
export async function serveJobs(
  { env, jobs }: AppContext,
  request: Request,
  _exchange: Exchange,
  text: ReadBody,
): Promise<Response> {
  const { url, method } = request;
  const isUnsigned = env.jobs.kind === "inngest" && !request.headers.has("x-inngest-signature");
  if (env.jobs.kind === "embedded" || isUnsigned)
    throw new AppError("unauthorized", "The call must be signed");
  const headers = new Headers(request.headers);
  // The SDK makes its own address of it.
  headers.set("Host", new URL(url).host);
  if (method !== "POST" && method !== "PUT")
    return jobs.GET(new Request(url, { method, headers }), undefined);
  return jobs[method](new Request(url, { method, headers, body: text() }), undefined);
}
