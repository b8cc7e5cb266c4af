export const NONCE_HEADER = "x-nonce";

const EVERYWHERE = { "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY" };

const TRANSPORT = { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };
export const isSecure = (appUrl: string) => appUrl.startsWith("https:");

const API = {
  ...EVERYWHERE,
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};
const SECURE_API = { ...API, ...TRANSPORT };

/** No page may show, run or include an answer of the API. */
export function getApiHeaders(appUrl: string): Readonly<Record<string, string>> {
  return isSecure(appUrl) ? SECURE_API : API;
}

interface PageView {
  nonce: string;
  path: string;
  appUrl: string;
  /** Next's development server evaluates text and uses a web socket. */
  isDevelopment: boolean;
}

/** Only the service's own scripts, and those with this answer's nonce, run. */
export function getPageHeaders(view: PageView): Record<string, string> {
  return {
    ...EVERYWHERE,
    ...(isSecure(view.appUrl) && TRANSPORT),
    "Content-Security-Policy": buildContentPolicy(view),
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(isSharedCard(view.path) && { "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "private, no-store" }),
    // Own forms must show their origin; other sites learn nothing.
    "Referrer-Policy": isSharedCard(view.path) ? "no-referrer" : "same-origin",
    "Permissions-Policy":
      "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=(), serial=()",
  };
}

/** Its path ends with the token that opens it. */
function isSharedCard(path: string): boolean {
  return path.startsWith("/shared/");
}

function buildContentPolicy({ nonce, path, isDevelopment }: PageView): string {
  // The API reference adds styles without a nonce.
  const hasOtherStyles = isDevelopment || path === "/docs";
  const directives = {
    "default-src": "'self'",
    // 'strict-dynamic' would let trusted scripts load scripts of other sites.
    "script-src": `'self' 'nonce-${nonce}'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src": hasOtherStyles ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    "style-src-attr": "'unsafe-inline'",
    // Pictures of channels and videos come from YouTube's image hosts.
    "img-src": "'self' data: https://yt3.ggpht.com https://yt3.googleusercontent.com https://i.ytimg.com",
    "font-src": "'self' data:",
    "connect-src": isDevelopment ? "'self' ws:" : "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(directives)
    .map((directive) => directive.join(" "))
    .join("; ");
}
