/** Prefix of request IDs in digests; Next's own digests are words. */
const PREFIX = "request:";

/** The digest for a request ID, which the caller may have chosen. */
export function toDigest(requestId: string): string {
  return PREFIX + requestId;
}

/** The request ID in a digest, or null. */
export function parseDigest(error: unknown): string | null {
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  return typeof digest === "string" ? digest.replace(PREFIX, "") : null;
}
