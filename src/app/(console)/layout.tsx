import "@mantine/core/styles.css";
import "./console.css";
import { ColorSchemeScript } from "@mantine/core";
import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { NONCE_HEADER } from "@/server/protection";
import { ConsoleProvider } from "./_client/provider";

export const metadata: Metadata = { robots: { index: false } };

/** The console's layout. The script sets the theme before the first paint. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(NONCE_HEADER) ?? "";
  return (
    <>
      <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      <ConsoleProvider nonce={nonce}>{children}</ConsoleProvider>
    </>
  );
}
