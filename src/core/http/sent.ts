interface Parts {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const parts = new WeakMap<Response, Parts>();
let isSentByParts = false;

/** From now on answers are sent by {@link partsOf}: a web Response makes a stream of its text, which costs more than the rest. */
export function sendByParts(): void {
  isSentByParts = true;
}

/** A response of text. Sent by parts, it has the status and no more. */
export function textResponse(text: string, headers: Record<string, string>, status = 200): Response {
  if (!isSentByParts) return new Response(text, { status, headers });
  const response = new Response(null, { status });
  parts.set(response, { status, headers, text });
  return response;
}

/** What a response of {@link textResponse} is made of; undefined for other responses. */
export function partsOf(response: Response): Parts | undefined {
  return parts.get(response);
}
