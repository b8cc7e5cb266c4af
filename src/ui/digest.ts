/** Before the request's id in the digest of a page's failure: Next knows errors of its own by digests that are words. */
const PREFIX = "request:";

/** What Next is to tell a browser of a failure: the id of its request, which a caller may have chosen. */
export function digestOf(requestId: string): string {
  return PREFIX + requestId;
}

/** The id that a reader is shown, out of what Next tells of a failure; null when it tells none. */
export function idOfDigest(error: unknown): string | null {
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  return typeof digest === "string" ? digest.replace(PREFIX, "") : null;
}
