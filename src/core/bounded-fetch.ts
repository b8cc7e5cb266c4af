import { fetch as ask } from "undici";

const HIGHEST_STATUS = 599;

/**
 * A `fetch` for servers that are not ours: asks addresses, with a text or nothing for a body. Not Node's own, in which an
 * answer that names six content codings and does not come whole ends the process.
 * @param timeoutMs within which an answer must have come whole; it fails with a TimeoutError
 * @param longestBytes of a body; reading a longer one fails
 */
export function boundedFetch(timeoutMs: number, longestBytes: number): typeof fetch {
  return async (address, { method, headers, body, redirect, signal: given } = {}) => {
    if (address instanceof Request || (body && typeof body !== "string"))
      throw new TypeError("An address is asked, with a text or nothing for a body");
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given ? AbortSignal.any([given, timeout]) : timeout;
    const over = abortionOf(signal);
    const question = { method, headers: [...new Headers(headers)], body, redirect, signal };
    const answer = await Promise.race([ask(address, question), over]);
    // Without its words, and as a status that there is: a Response takes neither every letter nor every number.
    return new Response(answer.body && boundedBody(answer.body, longestBytes, over), {
      status: Math.min(answer.status, HIGHEST_STATUS),
      headers: [...answer.headers],
    });
  };
}

/** A fetch may heed its signal no more once it fails to unzip what comes after the head. */
function abortionOf(signal: AbortSignal): Promise<never> {
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // Of an answer that has been read by then nobody waits for it.
  over.catch(() => {});
  return over;
}

function boundedBody(
  body: { getReader(): ReadableStreamDefaultReader<Uint8Array> },
  longestBytes: number,
  over: Promise<never>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const leave = (reason?: unknown) => void reader.cancel(reason).catch(() => {});
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await Promise.race([reader.read(), over]);
        if (done) return controller.close();
        bytes += value.length;
        if (bytes > longestBytes) throw new Error(`the answer is longer than ${longestBytes} bytes`);
        controller.enqueue(value);
      } catch (error) {
        leave(error);
        throw error;
      }
    },
    cancel: leave,
  });
}

/** The code of a network fault, or the name of another, without the address that its message may hold. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
