import { errorMessage } from "@/core/errors";
import type { ServedJobs } from "@/core/jobs/jobs";
import type { Job, Reply } from "./run";
import { canonicalJson, errorSchema, opsSchema, sign } from "./wire";

/** Of the served functions, what the engine calls. */
export type ServedHandlers = Pick<ServedJobs, "POST" | "PUT">;

// Never looked up: requests are handed to the handlers in process.
const ENDPOINT = "http://localhost/api/inngest";

/** A signed request to the served handlers. */
export function signedRequest(method: "POST" | "PUT", body: object, signingKey: string, query = ""): Request {
  const text = canonicalJson(body);
  return new Request(`${ENDPOINT}${query}`, {
    method,
    body: text,
    headers: {
      "content-type": "application/json",
      host: "localhost",
      "x-inngest-signature": sign(text, signingKey),
    },
  });
}

/** Runs one job through the handler. Never rejects: a handler that throws or answers garbage is a failed attempt. */
export async function callHandler(
  post: ServedHandlers["POST"],
  job: Job,
  signingKey: string,
): Promise<Reply> {
  const query = new URLSearchParams({ fnId: job.run.fn.id, stepId: job.step });
  try {
    const request = signedRequest("POST", job.run.request(job), signingKey, `?${query}`);
    return await readReply(await post(request));
  } catch (error) {
    const wireError = { name: "Error", message: errorMessage(error) };
    return { kind: "failed", error: wireError, final: false, retryAfter: null };
  }
}

async function readReply(response: Response): Promise<Reply> {
  const body: unknown = await response.json();
  const retryAfter = response.headers.get("retry-after");
  if (response.status === 200) return { kind: "done" };
  if (response.status === 206) return { kind: "ops", ops: opsSchema.parse(body), retryAfter };
  const final = response.status === 400 || response.headers.get("x-inngest-no-retry") === "true";
  return { kind: "failed", error: errorSchema.parse(body), final, retryAfter };
}
