"use client";

import Script from "next/script";
import { type ReactNode, useEffect, useRef, useState } from "react";
import button from "@/ui/button.module.css";
import "./reference.css";
import styles from "./reference.module.css";

/** The global of the Scalar bundle, which has no types. */
interface Scalar {
  createApiReference(
    host: Element,
    configuration: object,
  ): { updateConfiguration(configuration: object): void; destroy(): void };
}

declare global {
  interface Window {
    Scalar?: Scalar;
  }
}

/** Requests to other sites are off. The reader's key stays in memory. */
function buildConfiguration(dark: boolean): object {
  return {
    url: "/api/openapi.json",
    servers: [{ url: location.origin }],
    theme: "none",
    forceDarkModeState: dark ? "dark" : "light",
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    hideClientButton: true,
    // Only the snippets of the document, which run as printed.
    hiddenClients: true,
    showDeveloperTools: "never",
    telemetry: false,
    persistAuth: false,
    proxyUrl: "",
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: "json",
    authentication: { preferredSecurityScheme: "apiKey" },
  };
}

/** Whether the page is dark: by the reader's choice, else by the system. */
function isDark(system: boolean): boolean {
  const chosen = document.documentElement.dataset.mantineColorScheme;
  return chosen ? chosen === "dark" : system;
}

/**
 * The interactive reference. It is large, so it loads when the reader opens it, or at once for an address that points
 * into it.
 * @param children shown until then
 */
export function Reference({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(location.hash.length > 1), []);
  if (isOpen) return <OpenReference />;
  return (
    <main className={styles.closed}>
      <h1>API reference</h1>
      <p>Send requests with your key from this page, and see every field of every answer.</p>
      <button type="button" className={button.primary} onClick={() => setIsOpen(true)}>
        Open the reference
      </button>
      {children}
    </main>
  );
}

function OpenReference() {
  const host = useRef<HTMLDivElement>(null);
  const [bundle, setBundle] = useState<"loading" | "ready" | "failed">("loading");
  useEffect(() => {
    if (bundle !== "ready" || !host.current || !window.Scalar) return;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const look = () => buildConfiguration(isDark(dark.matches));
    const reference = window.Scalar.createApiReference(host.current, look());
    const follow = () => reference.updateConfiguration(look());
    dark.addEventListener("change", follow);
    const stopPatching = patchAccessibility(host.current);
    return () => {
      stopPatching();
      dark.removeEventListener("change", follow);
      reference.destroy();
    };
  }, [bundle]);
  if (bundle === "failed")
    return (
      <p>
        The reference could not be loaded. Please reload the page, or read <a href="/docs/endpoints">all endpoints</a>.
      </p>
    );
  // Scalar as its prebuilt file.
  const src = new URL("@scalar/api-reference/browser/standalone.js", import.meta.url).href;
  return (
    <>
      <Script src={src} onReady={() => setBundle("ready")} onError={() => setBundle("failed")} />
      <div ref={host} className={styles.reference} />
    </>
  );
}

/** What Scalar's markup lacks, by selector: an attribute and its value. */
const ATTRIBUTES = [
  ["aside[role=navigation]", "role", "region"],
  ["header:not([role])", "role", "group"],
  // The responses of two operations have the same name when their statuses are the same.
  [".scalar-card[role=region]", "role", "group"],
  ["button[role=search]", "aria-label", "Search the reference"],
  ["button[role=search]", "role", "button"],
  [".cm-content:not([aria-label])", "aria-label", "Value"],
  ["button.code-copy:not([aria-label])", "aria-label", "Copy"],
  ["button.scalar-code-copy:not([aria-label])", "aria-label", "Copy"],
  // The link to the guides is an icon on a phone.
  ["a[href$='/docs']:not([aria-label])", "aria-label", "Guides"],
  ["ul.endpoints:not([tabindex])", "tabindex", "0"],
  // Scalar's placeholder looks like a key.
  ["input[placeholder^=QUxM]", "placeholder", "cg_…"],
] as const;

/**
 * Adds to an element what its markup lacks for accessibility, now and on every change.
 * @returns a function that stops it
 */
function patchAccessibility(host: Element): () => void {
  const patchAll = () => {
    for (const [selector, name, value] of ATTRIBUTES)
      for (const element of host.querySelectorAll(selector)) element.setAttribute(name, value);
    for (const button of host.querySelectorAll("button[aria-selected]:not([role])")) {
      button.setAttribute("aria-current", button.getAttribute("aria-selected") ?? "false");
      button.removeAttribute("aria-selected");
    }
  };
  patchAll();
  const observer = new MutationObserver(patchAll);
  observer.observe(host, { subtree: true, childList: true, attributeFilter: ["aria-selected"] });
  return () => observer.disconnect();
}
