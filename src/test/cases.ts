import type { Parameters } from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this run is the long one, which tries random cases by the thousand. */
    nightly: boolean;
    /** What random cases begin with; null for a new one each time. A failure prints the one it was found with. */
    seed: number | null;
  }
}

/** The one in every run, the other in the nightly one. */
export function nightlyOr<T>(usually: T, nightly: T): T {
  return inject("nightly") ? nightly : usually;
}

/** On how many random cases a property is tried, and from which seed. */
export function cases<T>(few: number, many: number): Parameters<T> {
  const seed = inject("seed");
  return { numRuns: nightlyOr(few, many), ...(seed !== null && { seed }), endOnFailure: !inject("nightly") };
}
