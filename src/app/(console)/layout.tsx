import "@mantine/core/styles.css";
import "./console.css";
import { ColorSchemeScript } from "@mantine/core";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ConsoleProvider } from "./_client/provider";

/** Every page depends on who is signed in. */
export const dynamic = "force-dynamic";
export const metadata: Metadata = { robots: { index: false } };

/** Around every page of the console. The script sets the theme before anything is painted. */
export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <ColorSchemeScript defaultColorScheme="auto" />
      <ConsoleProvider>{children}</ConsoleProvider>
    </>
  );
}
