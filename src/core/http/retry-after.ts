import { HOUR, SECOND } from "@/core/time";

const LONGEST = HOUR / SECOND;

/** Seconds from a Retry-After header, 1 to 3600. Undefined without a number. */
export function retryAfterOf(header: string | null): number | undefined {
  const seconds = header?.trim() ? Number(header) : Number.NaN;
  return seconds >= 0 ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST) : undefined;
}
