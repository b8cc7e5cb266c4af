import { AppError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { MINUTE, SECOND, systemClock } from "@/core/time";
import type { AppContext } from "@/server/context";
import type { ReadBody } from "./input";

export const MAX_CALL_BYTES = 4 * 1024 * 1024;
/** The SDK refuses an older signature, by the machine's clock. */
const SIGNED_WITHIN = 5 * MINUTE;

/** Passes a call of Inngest to the SDK. @throws AppError `unauthorized` without a current signature, except in dev mode */
export async function serveJobs(ctx: AppContext, request: Request, text: ReadBody): Promise<Response> {
  const { env, jobs, log } = ctx;
  const { kind } = env.jobs;
  if (kind === "embedded" || (kind === "inngest" && !isSigned(request, log)))
    throw new AppError("unauthorized", "The call must be signed");
  const { url, method } = request;
  const headers = new Headers(request.headers);
  // The SDK builds an address from the client's Host header, and reports its stack where that fails.
  headers.set("Host", new URL(url).host);
  if (method !== "POST" && method !== "PUT") return jobs.GET(new Request(url, { method, headers }), undefined);
  return jobs[method](new Request(url, { method, headers, body: text() }), undefined);
}

/** The SDK alone would answer unsigned GET and PUT. */
function isSigned({ headers }: Request, log: Log): boolean {
  const [, signedAt] = /^t=(\d{1,12})&s=[0-9a-f]{64}$/.exec(headers.get("x-inngest-signature") ?? "") ?? [];
  if (signedAt === undefined) return false;
  const skew = Number(signedAt) * SECOND - systemClock.now().getTime();
  if (Math.abs(skew) <= SIGNED_WITHIN) return true;
  const difference = `${Math.abs(Math.round(skew / SECOND))} seconds ${skew < 0 ? "behind" : "ahead of"}`;
  log.warn(`refused a call of Inngest: its clock is ${difference} this server's; set both clocks right`);
  return false;
}
