interface Parts {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const parts = new WeakMap<Response, Parts>();

/** A response of text that a Node server can send by {@link partsOf}, without reading it back from its stream. */
export function textResponse(text: string, headers: Record<string, string>, status = 200): Response {
  const response = new Response(text, { status, headers });
  parts.set(response, { status, headers, text });
  return response;
}

/** What a response of {@link textResponse} was made of. */
export function partsOf(response: Response): Parts | undefined {
  return parts.get(response);
}
