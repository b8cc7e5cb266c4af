// Apart from tokens, whose hashes a browser cannot make: the console's log of requests reads these rules.

/** Pages whose path ends with a token. */
const TOKEN_PATH = /\/(shared|key)\/[^/?\s]+/gi;

/** A path as logs may have it. */
export function withoutToken(path: string): string {
  return path.replace(TOKEN_PATH, "/$1/…");
}
