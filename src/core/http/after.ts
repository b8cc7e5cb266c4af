/** Vercel's own SDK reads the same and is much larger. */
const REQUEST_CONTEXT = Symbol.for("@vercel/request-context");

interface Runtime {
  [REQUEST_CONTEXT]?: { get?(): { waitUntil?(work: Promise<unknown>): void } | undefined };
}

/** Makes a serverless host wait for work before it halts the process. The work must not reject. */
export function runAfterResponse(work: Promise<void>): void {
  (globalThis as Runtime)[REQUEST_CONTEXT]?.get?.()?.waitUntil?.(work);
}
