import { createEtag, findEtag } from "@/core/http/etag";
import { countSecondsBetween } from "@/core/time";
import { SANDBOX_HEADER } from "@/features/sandbox/schema";
import { getNextRunTime } from "@/features/snapshots/rules";
import type { RequestContext } from "./request";
import type { Answer } from "./rest";

/** Headers of answers that pages of other sites may read. */
export const SHARED = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/**
 * Lets the client keep an answer to its key. Answers of the sandbox follow its clock and are not kept.
 * @param maxAge seconds without asking again, never beyond the next daily run; 0 when left out
 */
export function allowCaching({ ctx, headers }: RequestContext, maxAge = 0): void {
  if (SANDBOX_HEADER in headers) return;
  const age = maxAge > 0 ? Math.min(maxAge, countSecondsToNextRun(ctx.clock.now())) : 0;
  headers["Cache-Control"] = age > 0 ? `private, max-age=${age}` : "private, no-cache";
  headers.Vary = "X-API-Key";
}

function countSecondsToNextRun(now: Date): number {
  return Math.floor(countSecondsBetween(now, getNextRunTime(now)));
}

/** An answer that may be kept, with its entity tag; without its body when the client has it. */
export function revalidate(answer: Answer, { method, headers: given }: Request): Answer {
  if (answer instanceof Response || answer.status !== 200 || answer.body === null) return answer;
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead || answer.headers["Cache-Control"]?.includes("no-store")) return answer;
  const etag = createEtag(answer.body);
  const known = findEtag(given.get("if-none-match"), etag);
  if (!known) return { ...answer, headers: { ...answer.headers, ETag: etag } };
  const { "Content-Type": _, ...headers } = answer.headers;
  return { status: 304, headers: { ...headers, ETag: known === "*" ? etag : known }, body: null };
}
