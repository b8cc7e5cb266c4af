import { createHash } from "node:crypto";

/** How long the feed keeps a change. */
export const FEED_DAYS = 30;

/** The cursor of a position in a key's feed. */
export function toCursor(keyId: string, position: number): string {
  const check = createHash("sha256").update(`${keyId} ${position}`).digest("base64url").slice(0, 10);
  return Buffer.from(`${position}.${check}`).toString("base64url");
}

/** The position of a cursor. Null for a cursor of another key, or any other text. */
export function parseCursor(keyId: string, cursor: string): number | null {
  const [digits = ""] = Buffer.from(cursor, "base64url").toString("latin1").split(".");
  const position = /^\d{1,15}$/.test(digits) ? Number(digits) : -1;
  return toCursor(keyId, position) === cursor ? position : null;
}
