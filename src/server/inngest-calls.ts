import { AppError } from "@/core/errors";
import type { AppContext } from "./context";
import type { ReadBody } from "./input";

export const MAX_CALL_BYTES = 4 * 1024 * 1024;

/** Passes a call of Inngest to the SDK. @throws AppError `unauthorized` without a signature, except in dev mode */
export async function serveJobs(ctx: AppContext, request: Request, text: ReadBody): Promise<Response> {
  const { env, jobs } = ctx;
  const { kind } = env.jobs;
  if (kind === "embedded" || (kind === "inngest" && !isSigned(request)))
    throw new AppError("unauthorized", "The call must be signed");
  const { url, method } = request;
  const headers = new Headers(request.headers);
  // The SDK builds an address from the client's Host header, and reports its stack where that fails.
  headers.set("Host", new URL(url).host);
  if (method !== "POST" && method !== "PUT")
    return jobs.GET(new Request(url, { method, headers }), undefined);
  return jobs[method](new Request(url, { method, headers, body: text() }), undefined);
}

/** The SDK checks a signature, but alone it would answer an unsigned GET and PUT. */
function isSigned({ headers }: Request): boolean {
  return /^t=\d{1,12}&s=[0-9a-f]{64}$/.test(headers.get("x-inngest-signature") ?? "");
}
