"use client";

import { MantineProvider } from "@mantine/core";
import { setNonce } from "get-nonce";
import { type ComponentType, type ReactNode, useEffect, useInsertionEffect, useState } from "react";
import { resolveVariables, theme } from "../theme";
import { watchLinks } from "./leaving";
import { trpc } from "./trpc";

interface ProviderProps {
  /** Of this answer's styles. */
  nonce: string;
  children: ReactNode;
}

function Theme({ nonce, children }: ProviderProps) {
  // The document keeps the nonce it came with, whatever later answers of the server say.
  const [own] = useState(nonce);
  // For the style by which an open dialog keeps the page behind it still.
  useInsertionEffect(() => setNonce(own), [own]);
  useEffect(watchLinks, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => own}
    >
      {children}
    </MantineProvider>
  );
}

/**
 * What every part of the console needs around it. `withTRPC` is typed for components of the Pages Router, though it
 * wraps any component.
 */
export const ConsoleProvider = trpc.withTRPC(
  Theme as Parameters<typeof trpc.withTRPC>[0],
) as ComponentType<ProviderProps>;
