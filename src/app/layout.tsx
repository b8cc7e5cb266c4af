import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./globals.css";

/** Scripts carry a per-request nonce, so pages cannot be static. */
export const dynamic = "force-dynamic";

const NAME = "Creator Growth Tracking Service";

export const metadata: Metadata = {
  title: { default: NAME, template: `%s – ${NAME}` },
  description: "Tells you which video creators are rising, before everybody knows.",
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfcfb" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0e0d" },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The theme script changes the element before hydration.
    <html lang="en" data-scroll-behavior="smooth" suppressHydrationWarning>
      <body>{children}</body>
    </html>
  );
}
