export function parseUrl(text: string, base?: string): URL | null {
  // Not URL.canParse: after many calls in Node 20, it misreads letters from U+0080 to U+00FF.
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

export function isLocal(address: string): boolean {
  const hostname = parseUrl(address)?.hostname ?? "";
  return /^(localhost|\[::1?\]|0\.0\.0\.0|127(\.\d+){3})$/.test(hostname);
}
