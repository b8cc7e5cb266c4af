import { parseUrl } from "@/core/http/url";

/**
 * Whether a request that changes something comes from the service's own pages. Browsers say so in Sec-Fetch-Site;
 * where they do not, Origin must name the host that was asked, by the public address's protocol, or that address.
 * Neither can be set by a page of another site.
 */
export function isSameOrigin(headers: Headers, appUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin") ?? "";
  const from = parseUrl(origin);
  if (!from) return false;
  const own = new URL(appUrl);
  return (from.host === headers.get("host") && from.protocol === own.protocol) || origin === own.origin;
}
