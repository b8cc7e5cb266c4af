import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { NONCE_HEADER } from "@/server/protection";
import "./fonts.css";
import "./globals.css";

/** Latin Geist. It loads with the document, or from the next page on if it is late, so that no text moves. */
const geist = localFont({
  src: "../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  weight: "100 900",
  display: "optional",
  variable: "--geist",
  adjustFontFallback: false,
});

/** Scripts carry a per-request nonce, so pages cannot be static. */
export const dynamic = "force-dynamic";

const NAME = "Creator Growth Tracking Service";

/** Shows a page in the theme that the reader chose in the console, before the first paint. Else it follows the system. */
const THEME_SCRIPT = `try {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.mantineColorScheme = chosen;
} catch {}`;

export const metadata: Metadata = {
  title: { default: NAME, template: `%s – ${NAME}` },
  description: "Spot rising video creators before everyone else.",
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fafafb" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0d12" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(NONCE_HEADER) ?? "";
  return (
    // The theme script changes the element before hydration.
    <html lang="en" className={geist.variable} data-scroll-behavior="smooth" suppressHydrationWarning>
      <body>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} suppressHydrationWarning />
        {children}
      </body>
    </html>
  );
}
