import { errorMessage } from "@/core/errors";
import { checkpointSchema, eventsSchema, type Op, type WireEvent } from "./wire";

/** What the SDK may ask of the engine. */
export interface Receiver {
  /** Takes the functions of a registration. Throws when it cannot run them. */
  register(body: unknown): void;
  /** Takes events and returns their ids. */
  receive(events: readonly WireEvent[]): string[];
  /** Saves steps that ended within a request; false when their run is not alive. */
  checkpoint(runId: string, steps: readonly Op[]): boolean;
}

/** A `fetch` that answers the SDK's calls in process and lets none out to the network. */
export function createLoopback(receiver: Receiver): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const answer = ROUTES.find(([path]) => path.test(pathname))?.[1];
    if (answer === undefined) return refuse(501, `The embedded job engine does not answer ${pathname}`);
    try {
      return answer(receiver, await request.json());
    } catch (error) {
      return refuse(400, errorMessage(error));
    }
  };
}

type Answer = (receiver: Receiver, body: unknown) => Response;

const ROUTES: readonly (readonly [RegExp, Answer])[] = [
  [/\/fn\/register$/, answerRegister],
  [/\/e\/[^/]+$/, answerEvents],
  [/\/v1\/checkpoint\/[^/]+\/async$/, answerCheckpoint],
];

function answerRegister(receiver: Receiver, body: unknown): Response {
  receiver.register(body);
  return Response.json({ status: 200, modified: true });
}

function answerEvents(receiver: Receiver, body: unknown): Response {
  return Response.json({ status: 200, ids: receiver.receive(eventsSchema.parse(body)) });
}

function answerCheckpoint(receiver: Receiver, body: unknown): Response {
  const { run_id, steps } = checkpointSchema.parse(body);
  return receiver.checkpoint(run_id, steps) ? Response.json({}) : refuse(409, "The run has ended");
}

function refuse(status: number, error: string): Response {
  return Response.json({ status, error }, { status });
}
