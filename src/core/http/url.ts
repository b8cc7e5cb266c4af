/** A text as an address, relative to `base` where one is given; null when it is none. */
export function parseUrl(text: string, base?: string): URL | null {
  // Not by URL.canParse: in Node 20, once it has been asked often, it misreads letters from U+0080 to U+00FF.
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Whether an address leads to the machine itself, which nobody else reaches by it. */
export function isLocal(address: string): boolean {
  const hostname = parseUrl(address)?.hostname ?? "";
  return /^(localhost|\[::1?\]|0\.0\.0\.0|127(\.\d+){3})$/.test(hostname);
}
