/** The header by which the proxy tells a page the nonce of its scripts and styles. */
export const NONCE_HEADER = "x-nonce";

const EVERYWHERE = { "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY" };

/** A year. Browsers heed it over https only, and other answers must not carry it. */
const TRANSPORT = { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };
const isSecure = (appUrl: string) => appUrl.startsWith("https:");

const OF_API = {
  ...EVERYWHERE,
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};
const OF_SECURE_API = { ...OF_API, ...TRANSPORT };

/** The headers that protect answers of the API: data for programs, which no page may show, run or include. */
export function apiProtection(appUrl: string): Readonly<Record<string, string>> {
  return isSecure(appUrl) ? OF_SECURE_API : OF_API;
}

interface PageView {
  nonce: string;
  path: string;
  appUrl: string;
  /** Next's development server evaluates text, and talks to the page by a web socket. */
  isDevelopment: boolean;
}

/** The headers that protect a page. Only scripts with this answer's nonce run, and our own files. */
export function pageProtection(view: PageView): Record<string, string> {
  return {
    ...EVERYWHERE,
    ...(isSecure(view.appUrl) && TRANSPORT),
    "Content-Security-Policy": contentPolicy(view),
    "Cross-Origin-Opener-Policy": "same-origin",
    // Forms of our own pages must show whence they come; other sites learn nothing.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy":
      "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=(), serial=()",
  };
}

function contentPolicy({ nonce, path, isDevelopment }: PageView): string {
  // The bundle of the reference adds styles of its own, which know no nonce.
  const freeStyles = isDevelopment || path === "/docs";
  const directives = {
    "default-src": "'self'",
    // Not 'strict-dynamic': it would let scripts that we trust bring in those of other sites, and text as script.
    "script-src": `'self' 'nonce-${nonce}'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src": freeStyles ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    // Sizes and places of bars and charts.
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data:",
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
