import { timingSafeEqual } from "node:crypto";
import { AppError, SERVICE_BUSY } from "@/core/errors";
import { canonicalJson, sign } from "@/core/jobs/wire";
import { MINUTE, SECOND, sleep, systemClock } from "@/core/time";
import type { AppContext } from "./context";
import type { Exchange } from "./exchange";
import { type ReadBody, readText } from "./input";

const UNSIGNED = "The call must be signed";
/** The most an engine sends to a function. */
const MAX_CALL_BYTES = 4 * 1024 * 1024;
/** And in how many parts: the SDK puts all of them in order before it looks at the signature. */
const MAX_CALL_PARTS = 200_000;
/** What an engine sends as a rule; to judge it takes some milliseconds. */
export const SMALL_CALL_BYTES = 64 * 1024;
/** So many larger ones are under way at once: until one is judged it holds some 10 MB, and nobody knows who sent it. */
const MAX_LARGE_CALLS = 8;
/** After so long one that is not judged yet is given up. */
const LARGE_CALL_MS = 10 * SECOND;
/** The SDK refuses an older signature, by the machine's clock. */
const SIGNED_WITHIN = 5 * MINUTE;

/** Whether a call is read before its turn, as any other request is. */
export function isSmallCall({ headers }: Request): boolean {
  return Number(headers.get("content-length") ?? Number.NaN) <= SMALL_CALL_BYTES;
}

/**
 * Hands a call of a job engine to the served functions: only one that is signed, unless it may be one of a dev server,
 * and no more than an engine would send. The embedded engine calls the functions in process, and nobody here.
 * @throws AppError `unauthorized`, or `unavailable` where too many large ones come at once
 */
export async function serveJobs(
  { env, jobs }: AppContext,
  request: Request,
  _exchange: Exchange,
  text: ReadBody,
): Promise<Response> {
  const { kind } = env.jobs;
  if (kind === "embedded" || (kind === "inngest" && !seemsSigned(request)))
    throw new AppError("unauthorized", UNSIGNED);
  const { url, method } = request;
  const headers = new Headers(request.headers);
  // From an odd one the SDK would make no address, and tell the caller of it with its stack.
  headers.set("Host", new URL(url).host);
  if (method !== "POST" && method !== "PUT")
    return jobs.GET(new Request(url, { method, headers }), undefined);
  const signingKey = env.jobs.kind === "inngest" ? env.jobs.signingKey : null;
  const isIt = (body: string) => isGenuine(headers, body, signingKey);
  const body = isSmallCall(request) ? text() : await readLargeCall(request, isIt);
  if (body === null || (isSmallCall(request) && !isIt(body))) throw new AppError("unauthorized", UNSIGNED);
  return jobs[method](new Request(url, { method, headers, body }), undefined);
}

function seemsSigned({ headers }: Request): boolean {
  const age = systemClock.now().getTime() - signedAt(headers) * SECOND;
  return Math.abs(age) <= SIGNED_WITHIN;
}

/** The second in which a call says that it was signed; NaN where it says nothing. */
function signedAt(headers: Headers): number {
  const [, seconds] = /^t=(\d{1,12})&s=[0-9a-f]{64}$/.exec(headers.get("x-inngest-signature") ?? "") ?? [];
  return Number(seconds);
}

function busy(): AppError {
  return new AppError("unavailable", SERVICE_BUSY, { retryAfter: 1, isRoutine: true });
}

let underWay = 0;
/** How those are given up that have not come whole, the oldest first. */
const arriving = new Set<() => void>();

/** The body of a large call; null for one that is not genuine. @throws AppError `unavailable` where too many are under way */
async function readLargeCall(request: Request, isIt: (body: string) => boolean): Promise<string | null> {
  makeRoom();
  underWay += 1;
  let isOver = false;
  let giveUp = () => {};
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = () => reject(busy());
  });
  arriving.add(giveUp);
  const timer = setTimeout(giveUp, LARGE_CALL_MS);
  try {
    const body = await Promise.race([readText(request, MAX_CALL_BYTES, () => !isOver), givenUp]);
    arriving.delete(giveUp);
    const judged = inTurn(() => !isOver && !request.signal.aborted && isIt(body));
    return (await Promise.race([judged, givenUp])) ? body : null;
  } finally {
    isOver = true;
    clearTimeout(timer);
    arriving.delete(giveUp);
    underWay -= 1;
  }
}

/** Whoever is slow to send keeps out nobody who sends at once. */
function makeRoom(): void {
  if (underWay < MAX_LARGE_CALLS) return;
  const [slowest] = arriving;
  if (!slowest) throw busy();
  arriving.delete(slowest);
  slowest();
}

let judging: Promise<unknown> = Promise.resolve();

/** To judge a large call may take the process half a second: they take turns, and all others have as long in between. */
function inTurn(judge: () => boolean): Promise<boolean> {
  const judged = judging.then(async () => {
    const begun = performance.now();
    const outcome = judge();
    await sleep(performance.now() - begun);
    return outcome;
  });
  judging = judged.catch(() => {});
  return judged;
}

/** Whether the SDK can read a call, which it does before it looks at the signature, and whether that is made with the key. */
function isGenuine(headers: Headers, body: string, signingKey: string | null): boolean {
  if (body === "") return true;
  if (isScattered(body)) return false;
  try {
    const call: unknown = JSON.parse(body);
    return signingKey === null || isSignature(headers, call, signingKey);
  } catch {
    // No JSON, or nested too deep to be put in order.
    return false;
  }
}

function isSignature(headers: Headers, call: unknown, signingKey: string): boolean {
  const given = Buffer.from(headers.get("x-inngest-signature") ?? "");
  const due = Buffer.from(sign(canonicalJson(call), signingKey, signedAt(headers)));
  return due.length === given.length && timingSafeEqual(due, given);
}

function isScattered(text: string): boolean {
  let parts = 0;
  for (let at = 0; at < text.length && parts <= MAX_CALL_PARTS; at++)
    if (",[{".includes(text.charAt(at))) parts += 1;
  return parts > MAX_CALL_PARTS;
}
