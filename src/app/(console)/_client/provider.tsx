"use client";

import { MantineProvider } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";
import { resolveVariables, theme } from "../theme";
import { trpc } from "./trpc";

interface ProviderProps {
  children: ReactNode;
}

function Theme({ children }: ProviderProps) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
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
