import { hash, randomBytes } from "node:crypto";

/** 256 random bits, which need no slow hash. */
const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

/** A new token for a link, and its SHA-256 in hex, which alone is stored. */
export function createToken(): { token: string; tokenHash: string } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token, tokenHash: hash("sha256", token) };
}

/** The SHA-256 of a token in hex; null for a text that is no token, without a query. */
export function hashOfToken(text: string): string | null {
  return TOKEN_FORM.test(text) ? hash("sha256", text) : null;
}
