import { z } from "zod";
import { ERROR_STATUS, type ErrorCode, INVALID_API_KEY, UNEXPECTED_FAILURE } from "@/core/errors";
import { TIERS } from "@/db/values";
import { OpenGuess } from "@/features/creators/schema";
import type { FailureStatus } from "@/features/endpoint";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import codes from "./error-codes.json" with { type: "json" };

/** The value of `code` in the body of an error. A 401 and a used-up quota have none: the status says all. */
export type PublicCode = Exclude<ErrorCode, "unauthorized" | "quota_exceeded" | "too_many_attempts"> | "internal";

/** What each code means and what to do, in the order of the guide. */
export const ERROR_CODES: Record<PublicCode, { meaning: string; fix: string }> = codes;

export function getCodeStatus(code: PublicCode): number {
  return code === "internal" ? 500 : ERROR_STATUS[code];
}

export function isPublicCode(code: string): code is PublicCode {
  return Object.hasOwn(ERROR_CODES, code);
}

const Code = z
  .enum(Object.keys(ERROR_CODES) as PublicCode[])
  .meta({ id: "ErrorCode", description: "The cause, for programs. `/docs/errors` says what to do for each" });

const Failure = z
  .object({ error: z.string().describe("What is wrong, for a person to read"), code: Code })
  .meta({ id: "Failure", description: "An error" });

interface FailureKind {
  name: string;
  description: string;
  schema: z.ZodType;
  example: object;
  /** Groups of headers besides those that every failure has. */
  headers: readonly ("counted" | "retry" | "allow" | "challenge")[];
}

const WRONG_TYPE = "Content-Type must be application/json in UTF-8";
const WRONG_LIMIT = { field: "limit", message: "must be 1 to 100" };
const USED_UP = {
  error: "Daily rate limit reached",
  tier: "free",
  limit: TIER_RULES.free.requestsPerDay,
  used: TIER_RULES.free.requestsPerDay,
  resets_at: "midnight UTC",
};

const QuotaFailure = z
  .object({
    error: z.string().describe(`"${USED_UP.error}", or why your address must wait in the sandbox`),
    tier: z.enum(TIERS).optional().describe("Tier of your key"),
    limit: z.int().optional().describe("Daily requests of the tier"),
    used: z.int().optional().describe("Requests counted today"),
    resets_at: z.string().optional().describe(`When the count starts again: ${USED_UP.resets_at}`),
    code: Code.optional(),
  })
  .meta({
    id: "QuotaFailure",
    description: "`tier`, `limit`, `used` and `resets_at` when the quota is used up; `code` in the sandbox only",
  });

/** Every failure a client can meet, by its status. */
export const FAILURES: Record<FailureStatus, FailureKind> = {
  400: {
    name: "BadRequest",
    description: "A parameter or field is invalid. `issues` lists each one and its allowed values.",
    schema: Failure.extend({
      issues: z
        .array(
          z
            .object({
              field: z.string().describe("Name of the parameter or field; `body` for the whole body"),
              message: z.string().describe("What it must be"),
            })
            .meta({ id: "Issue", description: "A parameter or field that is wrong" }),
        )
        .describe("Each parameter or field that is wrong"),
      ...OpenGuess.shape,
    }).meta({ id: "InvalidFailure", description: "An error of a parameter or field" }),
    example: { error: "limit is 500; it must be 1 to 100", code: "invalid_request", issues: [WRONG_LIMIT] },
    headers: ["counted"],
  },
  401: {
    name: "Unauthorized",
    description: "The key is missing, mistyped, unknown or revoked. The response is the same in each case.",
    schema: z.object({ error: z.literal(INVALID_API_KEY).describe("Always the same") }).meta({
      id: "KeyFailure",
      description: "The error of a key that is not valid",
    }),
    example: { error: INVALID_API_KEY },
    headers: ["challenge"],
  },
  404: {
    ...createFailureKind("NotFound", "Your key does not track this creator", "not_tracked", "counted"),
    description: "The resource does not exist or belongs to another key.",
  },
  405: createFailureKind("MethodNotAllowed", "Method not allowed. Use GET.", "method_not_allowed", "allow"),
  410: {
    name: "Gone",
    description: ERROR_CODES.cursor_expired.meaning,
    schema: Failure.extend({
      oldest_after: z.string().describe("The cursor of the oldest change that is still kept"),
    }).meta({ id: "ExpiredFailure", description: "The error of a cursor that is too old" }),
    example: {
      error:
        "The changes after this cursor have expired; changes are kept for 30 days. Read GET /api/track and GET /api/alerts again, then continue with oldest_after.",
      code: "cursor_expired",
      oldest_after: "MC5mM0hYa1VaQ0Nq",
    },
    headers: ["counted"],
  },
  413: createFailureKind("PayloadTooLarge", "The body must not exceed 16 KiB", "payload_too_large", "counted"),
  415: createFailureKind("UnsupportedMediaType", WRONG_TYPE, "unsupported_media_type", "counted"),
  429: {
    name: "TooManyRequests",
    description:
      "Your key has used all its requests for today (UTC). The refused request does not count. In the sandbox, 429 can also mean too many requests from your address this hour; the body then has only `error` and `code`.",
    schema: QuotaFailure,
    example: USED_UP,
    headers: ["counted", "retry"],
  },
  500: createFailureKind("Internal", UNEXPECTED_FAILURE, "internal"),
  503: createFailureKind("Unavailable", "The video platform is unavailable. Try again later.", "unavailable", "retry"),
};

function createFailureKind(name: string, error: string, code: PublicCode, ...headers: FailureKind["headers"]) {
  return { name, description: ERROR_CODES[code].meaning, schema: Failure, example: { error, code }, headers };
}
