/**
 * Whether a request that changes something comes from the service's own pages. Browsers say so in Sec-Fetch-Site;
 * where they do not, Origin must name the host that was asked or the service's public address. Neither can be set by
 * a page of another site.
 */
export function isSameOrigin(headers: Headers, appUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin") ?? "";
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === headers.get("host") || origin === new URL(appUrl).origin;
}
