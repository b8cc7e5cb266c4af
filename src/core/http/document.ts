import { createEtag, findEtag } from "./etag";

/** A public document, without its body when the client has it. The tag is weak, as servers compress it on the way. */
export function createDocument({ headers }: Request, type: string, text: string): Response {
  const etag = createEtag(text);
  const kept = { ETag: `W/${etag}`, "Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*" };
  if (findEtag(headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: kept });
  return new Response(text, { headers: { ...kept, "Content-Type": `${type}; charset=utf-8` } });
}
