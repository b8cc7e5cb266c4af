"use client";

import { MantineProvider } from "@mantine/core";
import { setNonce } from "get-nonce";
import { type ComponentType, type ReactNode, useEffect, useInsertionEffect, useState } from "react";
import { resolveVariables, theme } from "../theme";
import { useSignInRedirect } from "./calls";
import { trpc } from "./trpc";

interface ProviderProps {
  nonce: string;
  children: ReactNode;
}

function Theme({ nonce, children }: ProviderProps) {
  // The document keeps the nonce of its first response.
  const [initialNonce] = useState(nonce);
  // For the style that locks scrolling behind a dialog.
  useInsertionEffect(() => setNonce(initialNonce), [initialNonce]);
  useSignInRedirect();
  useEffect(registerOfflineNotice, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => initialNonce}
    >
      {children}
    </MantineProvider>
  );
}

function registerOfflineNotice(): void {
  // Fails where pages come over plain http from another host; the browser's own error page then stays.
  void navigator.serviceWorker?.register("/offline-worker.js").catch(() => {});
}

/** Providers of the console. `withTRPC` is typed for the Pages Router but wraps any component, hence the cast. */
export const ConsoleProvider = trpc.withTRPC(
  Theme as Parameters<typeof trpc.withTRPC>[0],
) as ComponentType<ProviderProps>;
