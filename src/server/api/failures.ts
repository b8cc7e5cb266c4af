import { z } from "zod";
import { ERROR_STATUS, INVALID_API_KEY, UNEXPECTED_FAILURE } from "@/core/errors";
import { TIERS } from "@/db/values";
import { OpenGuess } from "@/features/creators/schema";
import type { DocumentedError } from "@/features/endpoint";
import { TIER_RULES } from "@/features/usage/tiers.rules";

const Failure = z.object({ error: z.string().describe("What is wrong, for a person to read") }).meta({ id: "Failure" });

export interface FailureKind {
  name: string;
  description: string;
  schema: z.ZodType;
  example: object;
  hasRateHeaders: boolean;
  retries?: boolean;
  allows?: boolean;
}

const WRONG_LIMIT = { field: "limit", message: "must be a whole number from 1 to 100" };
const USED_UP = {
  error: "Daily rate limit reached",
  tier: "free",
  limit: TIER_RULES.free.requestsPerDay,
  used: TIER_RULES.free.requestsPerDay,
  resets_at: "midnight UTC",
};

const QuotaExceeded = z
  .object({
    error: z.literal(USED_UP.error).describe("Always the same"),
    tier: z.enum(TIERS).describe("Tier of your key"),
    limit: z.int().describe("Daily requests of the tier"),
    used: z.int().describe("Requests counted today"),
    resets_at: z.literal(USED_UP.resets_at).describe("When the count starts again"),
  })
  .meta({ id: "QuotaExceeded" });

/** Every failure a client can meet. */
export const FAILURES: Record<DocumentedError | "internal", FailureKind> = {
  invalid_request: {
    name: "InvalidRequest",
    description: "A parameter or field is invalid. `issues` lists each one and its allowed values.",
    schema: Failure.extend({
      issues: z
        .array(
          z.object({
            field: z.string().describe("Name of the parameter or field; `body` for the whole body"),
            message: z.string().describe("What it must be"),
          }),
        )
        .describe("Each parameter or field that is wrong"),
      ...OpenGuess.shape,
    }).meta({ id: "InvalidRequest" }),
    example: { error: "limit must be a whole number from 1 to 100", issues: [WRONG_LIMIT] },
    hasRateHeaders: true,
  },
  unauthorized: {
    name: "Unauthorized",
    description: "The key is missing, mistyped, unknown or revoked. The response is the same in each case.",
    schema: z.object({ error: z.literal(INVALID_API_KEY).describe("Always the same") }).meta({ id: "Unauthorized" }),
    example: { error: INVALID_API_KEY },
    hasRateHeaders: false,
  },
  not_found: {
    ...createFailureKind("NotFound", "Your key does not track this creator", true),
    description: "The resource does not exist or belongs to another key.",
  },
  method_not_allowed: {
    ...createFailureKind("MethodNotAllowed", "Method not allowed. Use GET.", false),
    description: "The path does not support the method. `Allow` lists the methods it supports.",
    allows: true,
  },
  gone: {
    name: "Gone",
    description: "The changes after this cursor are older than 30 days and no longer kept.",
    schema: Failure.extend({
      oldest_after: z.string().describe("The cursor of the oldest change that is still kept"),
    }).meta({ id: "Gone" }),
    example: {
      error:
        "The changes after this cursor are gone: they stay for 30 days. Read GET /api/track and GET /api/alerts again, then continue with oldest_after.",
      oldest_after: "MC5mM0hYa1VaQ0Nq",
    },
    hasRateHeaders: true,
  },
  payload_too_large: {
    ...createFailureKind("PayloadTooLarge", "The body must not exceed 16 KiB", true),
    description: "The body is larger than 16 KiB.",
  },
  unsupported_media_type: {
    ...createFailureKind("UnsupportedMediaType", "Content-Type must be application/json", true),
    description: "The Content-Type is not application/json.",
  },
  quota_exceeded: {
    name: "QuotaExceeded",
    description:
      "Your key has used all its requests for today (UTC). The refused request does not count. In the sandbox, 429 can also mean too many requests from your address this hour; the body then has only `error`.",
    schema: z.union([QuotaExceeded, Failure]),
    example: USED_UP,
    hasRateHeaders: true,
    retries: true,
  },
  internal: {
    ...createFailureKind("Internal", UNEXPECTED_FAILURE, false),
    description: "Unexpected error. Send the `X-Request-Id` to the operator.",
  },
  unavailable: {
    ...createFailureKind("Unavailable", "The video platform is unavailable. Try again later.", false),
    description:
      "The video platform or the database is unavailable, or the service is busy. Try again after `Retry-After` seconds.",
    retries: true,
  },
};

function createFailureKind(name: string, error: string, hasRateHeaders: boolean) {
  return { name, schema: Failure, example: { error }, hasRateHeaders };
}

export function getFailureStatus(code: keyof typeof FAILURES): number {
  return code === "internal" ? 500 : ERROR_STATUS[code];
}
