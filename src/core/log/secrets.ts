/** Shorter ones are words. */
const SHORTEST_SECRET = 8;

/** What a server answered, with `***` for each secret in it, also for one that JSON's escapes hide. */
export function withoutSecrets(secrets: readonly string[], bytes: Buffer): Buffer {
  // As one letter for each byte, whatever they mean.
  const text = unescaped(bytes.toString("latin1"));
  const repeated = secrets.filter((secret) => secret.length >= SHORTEST_SECRET && text.includes(secret));
  const cut = (words: string, secret: string) => words.replaceAll(secret, "***");
  return repeated.length === 0 ? bytes : Buffer.from(repeated.reduce(cut, text), "latin1");
}

/** The same JSON without NUL, which nobody keeps, and of which nothing is escaped without need: no secret hides in it. */
function unescaped(json: string): string {
  return json.replace(/\\(?:\\|(u0000)|(\/)|u00([2-7][0-9a-f]))/gi, (escaped, nul, slash, code) => {
    const letter = slash ?? String.fromCharCode(Number.parseInt(code ?? "22", 16));
    if (nul) return "";
    return letter === '"' || letter === "\\" ? escaped : letter;
  });
}
