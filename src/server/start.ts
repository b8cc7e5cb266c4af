import { readEnv } from "@/core/env";
import { createContext, installContext } from "./context";

/** Checks the environment and readies this process to serve. @throws OperatorError for a wrong environment */
export function startService(): void {
  installContext(createContext(readEnv()));
}
