/**
 * A `fetch` for servers that are not ours.
 * @param timeoutMs within which an answer must have come whole; it fails with a TimeoutError
 * @param longestBytes of a body; reading a longer one fails
 */
export function boundedFetch(timeoutMs: number, longestBytes: number): typeof fetch {
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const { body, status, statusText, headers } = await fetch(input, { ...init, signal });
    return new Response(body?.pipeThrough(boundedTo(longestBytes)), { status, statusText, headers });
  };
}

function boundedTo(longestBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > longestBytes)
        return controller.error(new Error(`the answer is longer than ${longestBytes} bytes`));
      controller.enqueue(chunk);
    },
  });
}

/** The code of a network fault, or the name of another, without the address that its message may hold. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
