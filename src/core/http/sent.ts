interface ResponseParts {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const parts = new WeakMap<Response, ResponseParts>();
let isEnabled = false;

/** From now on answers are sent by {@link getResponseParts}: a web Response makes a stream of its text, which costs more than the rest. */
export function enableResponseParts(): void {
  isEnabled = true;
}

/** A response of text. Sent by parts, it has the status and no more. */
export function createTextResponse(text: string, headers: Record<string, string>, status = 200): Response {
  if (!isEnabled) return new Response(text, { status, headers });
  const response = new Response(null, { status });
  parts.set(response, { status, headers, text });
  return response;
}

/** What a response of {@link createTextResponse} is made of; undefined for other responses. */
export function getResponseParts(response: Response): ResponseParts | undefined {
  return parts.get(response);
}
