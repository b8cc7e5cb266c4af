import { hash } from "node:crypto";

/** The strong entity tag of a body, in hexadecimal digits. */
export function createEtag(body: string): string {
  return `"${hash("sha256", body)}"`;
}

/** The tag of the same body in a content coding, such as `br`. */
export function markEtag(etag: string, coding: string): string {
  return etag.replace(/"$/, `-${coding}"`);
}

/** The entry of an If-None-Match header that names a body, in any content coding. Proxies that compress weaken tags. */
export function findEtag(header: string | null, etag: string): string | undefined {
  const given = header?.split(",").map((tag) => tag.trim()) ?? [];
  return given.find((tag) => tag === "*" || tag.replace(/^W\//, "").replace(/-\w+"$/, '"') === etag);
}

/** A public document, without its body when the client has it. The tag is weak, as servers compress it on the way. */
export function createDocument({ headers }: Request, type: string, text: string): Response {
  const etag = createEtag(text);
  const kept = { ETag: `W/${etag}`, "Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*" };
  if (findEtag(headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: kept });
  return new Response(text, { headers: { ...kept, "Content-Type": `${type}; charset=utf-8` } });
}
