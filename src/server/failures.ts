import { z } from "zod";
import { TIER_LIMITS, TIERS } from "@/core/config/tiers";
import { ERROR_STATUS, INVALID_API_KEY } from "@/core/errors";
import type { DocumentedError } from "@/core/http/contract";

const Failure = z.object({ error: z.string().describe("What is wrong, in a sentence") });

export interface FailureKind {
  /** Name of the response in the OpenAPI document. */
  name: string;
  description: string;
  schema: z.ZodObject;
  example: object;
  /** Whether the request has counted, so that the response carries rate limit headers. */
  isCounted: boolean;
  retries?: boolean;
  allows?: boolean;
}

/** Every failure that a client can get. `internal` is an unexpected error. */
export const FAILURES: Record<DocumentedError | "internal", FailureKind> = {
  invalid_request: {
    name: "InvalidRequest",
    description: "A parameter or field is invalid. `issues` lists each one and its allowed values.",
    schema: Failure.extend({
      issues: z.array(
        z.object({
          field: z.string().describe("Name of the parameter or field; `body` for the whole body"),
          message: z.string().describe("What it must be"),
        }),
      ),
    }).meta({ id: "InvalidRequest" }),
    example: {
      error: "limit must be a whole number from 1 to 100",
      issues: [{ field: "limit", message: "must be a whole number from 1 to 100" }],
    },
    isCounted: true,
  },
  unauthorized: {
    name: "Unauthorized",
    description:
      "The key is missing, mistyped, unknown or revoked. The response is the same for every cause.",
    schema: z.object({ error: z.literal(INVALID_API_KEY) }).meta({ id: "Unauthorized" }),
    example: { error: INVALID_API_KEY },
    isCounted: false,
  },
  not_found: {
    name: "NotFound",
    description: "The resource does not exist, or belongs to another key.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "This key does not track a creator with that channel_id" },
    isCounted: true,
  },
  method_not_allowed: {
    name: "MethodNotAllowed",
    description: "Method not allowed. `Allow` lists the allowed methods.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "The method must be one of GET, HEAD" },
    isCounted: false,
    allows: true,
  },
  payload_too_large: {
    name: "PayloadTooLarge",
    description: "The body is larger than 16 KiB.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "The body must not be larger than 16384 bytes" },
    isCounted: true,
  },
  unsupported_media_type: {
    name: "UnsupportedMediaType",
    description: "The Content-Type is not application/json.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "The Content-Type header must be application/json" },
    isCounted: true,
  },
  quota_exceeded: {
    name: "QuotaExceeded",
    description: "The key has used its requests of this UTC day. This request did not count.",
    schema: z
      .object({
        error: z.literal("Daily rate limit reached"),
        tier: z.enum(TIERS),
        limit: z.int().describe("Daily requests of the tier"),
        used: z.int().describe("Requests counted today"),
        resets_at: z.literal("midnight UTC"),
      })
      .meta({ id: "QuotaExceeded" }),
    example: {
      error: "Daily rate limit reached",
      tier: "free",
      limit: TIER_LIMITS.free,
      used: TIER_LIMITS.free,
      resets_at: "midnight UTC",
    },
    isCounted: true,
    retries: true,
  },
  internal: {
    name: "Internal",
    description: "An unexpected error. Report the `X-Request-Id` to the operator.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "Something went wrong. Report the X-Request-Id to the operator." },
    isCounted: false,
  },
  unavailable: {
    name: "Unavailable",
    description:
      "The video platform or the database is unavailable, or the service is busy. Try again after `Retry-After` seconds.",
    schema: Failure.meta({ id: "Failure" }),
    example: { error: "The video platform cannot answer right now; please try again later" },
    isCounted: false,
    retries: true,
  },
};

/** The status of a failure. */
export function statusOf(code: keyof typeof FAILURES): number {
  return code === "internal" ? 500 : ERROR_STATUS[code];
}
