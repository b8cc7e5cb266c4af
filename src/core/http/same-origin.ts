import { parseUrl } from "./url";

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
