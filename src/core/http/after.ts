/** Where Vercel's runtime keeps the context of a request. Its SDK reads the same and is much larger. */
const REQUEST_CONTEXT = Symbol.for("@vercel/request-context");

interface Runtime {
  [REQUEST_CONTEXT]?: { get?(): { waitUntil?(work: Promise<unknown>): void } | undefined };
}

/** Lets work go on after the answer: a serverless host waits for it before it halts the process. It must not reject. */
export function afterAnswer(work: Promise<void>): void {
  (globalThis as Runtime)[REQUEST_CONTEXT]?.get?.()?.waitUntil?.(work);
}
