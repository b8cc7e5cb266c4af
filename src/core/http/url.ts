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

/** Browsers set Sec-Fetch-Site; without it, Origin must be the service's own. Another site's page can set neither. */
export function isSameOrigin(headers: Headers, appUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin") ?? "";
  const from = parseUrl(origin);
  if (!from) return false;
  const own = new URL(appUrl);
  return (from.host === headers.get("host") && from.protocol === own.protocol) || origin === own.origin;
}
