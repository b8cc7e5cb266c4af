import { SECOND, startOfDay } from "@/core/time";
import type { Contract } from "@/features/endpoint";

/** The headers of an endpoint that will be removed (RFC 9745 and RFC 8594). */
export function buildDeprecationHeaders({ deprecated }: Contract): Record<string, string> {
  if (!deprecated) return {};
  return {
    Deprecation: `@${startOfDay(deprecated.since).getTime() / SECOND}`,
    Sunset: startOfDay(deprecated.until).toUTCString(),
  };
}
