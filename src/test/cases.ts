import type { Parameters } from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is the nightly run, with thousands of random cases. */
    nightly: boolean;
    /** Seed of random cases; null for a new seed each time. A failure prints its seed. */
    seed: number | null;
  }
}

/** The first value in every run, the second in the nightly run. */
export function pickNightly<T>(usually: T, nightly: T): T {
  return inject("nightly") ? nightly : usually;
}

/** How many random cases a property test runs, and their seed. */
export function createCases<T>(few: number, many: number): Parameters<T> {
  const seed = inject("seed");
  return {
    numRuns: pickNightly(few, many),
    ...(seed !== null && { seed }),
    endOnFailure: !inject("nightly"),
  };
}
