/** Where Vercel's runtime keeps what concerns the request under way. Its SDK reads the same, and brings far more along. */
const REQUEST_CONTEXT = Symbol.for("@vercel/request-context");

interface Runtime {
  [REQUEST_CONTEXT]?: { get?(): { waitUntil?(work: Promise<unknown>): void } | undefined };
}

/**
 * Lets work that nobody waits for go on after the answer: a serverless host is asked not to halt the process before it
 * is done. Elsewhere the process lasts anyway. The work must not reject.
 */
export function afterAnswer(work: Promise<void>): void {
  (globalThis as Runtime)[REQUEST_CONTEXT]?.get?.()?.waitUntil?.(work);
}
