"use client";

import { MantineProvider } from "@mantine/core";
import { type ComponentType, type ReactNode, useState } from "react";
import { resolveVariables, theme } from "../theme";
import { trpc } from "./trpc";

interface ProviderProps {
  /** Of this answer's styles. */
  nonce: string;
  children: ReactNode;
}

function Theme({ nonce, children }: ProviderProps) {
  // The document keeps the nonce it came with, whatever later answers of the server say.
  const [own] = useState(nonce);
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
