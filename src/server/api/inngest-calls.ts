import { AppError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { MINUTE, SECOND, systemClock } from "@/core/time";
import type { RequestContext } from "./request";

export const MAX_CALL_BYTES = 4 * 1024 * 1024;
/** The SDK refuses an older signature, by the machine's clock. */
const SIGNED_WITHIN = 5 * MINUTE;

/** Refuses a call before its body is read. @throws AppError `unauthorized` without a current signature, except in dev mode */
export function checkJobCaller({ ctx, request }: RequestContext): void {
  const { kind } = ctx.env.jobs;
  if (kind === "embedded" || (kind === "inngest" && !isSigned(request, ctx.log)))
    throw new AppError("unauthorized", "The call must be signed");
}

/** Passes a call of Inngest to the SDK, which checks the signature. */
export async function serveJobs({ ctx: { jobs }, request, body }: RequestContext): Promise<Response> {
  const { url, method } = request;
  const headers = new Headers(request.headers);
  // The SDK builds an address from the client's Host header, and reports its stack where that fails.
  headers.set("Host", new URL(url).host);
  if (method !== "POST" && method !== "PUT") return jobs.GET(new Request(url, { method, headers }), undefined);
  return jobs[method](new Request(url, { method, headers, body: body() }), undefined);
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
