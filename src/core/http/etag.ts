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
