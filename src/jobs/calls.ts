import { getErrorMessage } from "@/core/errors";
import { toDate } from "@/core/time";
import { createSignedRequest, errorSchema, opsSchema, type ServedHandlers, type WireError } from "./protocol";
import { NEXT, type Run } from "./queue";

/** How a request ended: the run is done, goes on with a step, sleeps until an instant, or this attempt failed. */
export type Outcome = { kind: "done" } | { kind: "next"; step: string; due?: number } | Failure;

export interface Failure {
  kind: "failed";
  error: WireError;
  final: boolean;
  retryAfter: string | null;
}

/** Makes the next request of a run and saves its steps. A handler that throws or answers nonsense is a failed attempt. */
export async function callFunction(post: ServedHandlers["POST"], run: Run, signingKey: string): Promise<Outcome> {
  const query = new URLSearchParams({ fnId: run.fn.id, stepId: run.step });
  try {
    const response = await post(createSignedRequest("POST", run.requestBody(), signingKey, `?${query}`));
    return await readAnswer(run, response);
  } catch (error) {
    return createFailure(getErrorMessage(error), false);
  }
}

async function readAnswer(run: Run, response: Response): Promise<Outcome> {
  const { status, headers } = response;
  const body: unknown = await response.json();
  const retryAfter = headers.get("retry-after");
  if (status === 200) return { kind: "done" };
  if (status !== 206) {
    const final = status === 400 || headers.get("x-inngest-no-retry") === "true";
    return { kind: "failed", error: errorSchema.parse(body), final, retryAfter };
  }
  const ops = opsSchema.parse(body);
  run.save(ops);
  const filterOps = (kind: string) => ops.filter(({ op }) => op === kind);
  const unknown = ops.find(({ op }) => !KNOWN_OPS.includes(op));
  const [failed] = filterOps("StepError");
  const [planned, ...others] = filterOps("StepPlanned");
  if (unknown) return createFailure(`${UNSUPPORTED} ${unknown.op} (${unknown.displayName})`, true);
  if (others.length > 0) return createFailure(`${UNSUPPORTED} steps in parallel`, true);
  if (filterOps("RunComplete").length > 0) return { kind: "done" };
  const [sleep] = filterOps("Sleep");
  if (sleep) return { kind: "next", step: NEXT, due: toDate(sleep.name ?? "").getTime() };
  if (failed) return { kind: "failed", error: failed.error, final: false, retryAfter };
  return { kind: "next", step: planned?.id ?? NEXT };
}

const UNSUPPORTED = "The embedded job engine does not support";
const KNOWN_OPS = ["StepRun", "StepPlanned", "StepError", "StepFailed", "Sleep", "RunComplete"];

function createFailure(message: string, final: boolean): Failure {
  return { kind: "failed", error: { name: "Error", message }, final, retryAfter: null };
}

/** A `fetch` that answers the SDK's calls in process; errors become a 400. @param answer null for an unknown path */
export function createLoopback(answer: (path: string, body: unknown) => Response | null): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    try {
      const response = answer(pathname, await request.json());
      return response ?? createRefusal(501, `The embedded job engine does not answer ${pathname}`);
    } catch (error) {
      return createRefusal(400, getErrorMessage(error));
    }
  };
}

export function createRefusal(status: number, error: string): Response {
  return Response.json({ status, error }, { status });
}
