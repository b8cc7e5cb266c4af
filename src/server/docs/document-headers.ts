import { TIERS } from "@/db/values";
import { SANDBOX_HEADER } from "@/features/sandbox/schema";
import { TIER_RULES } from "@/features/usage/tiers.rules";

const describeHeader = (description: string, schema: object, example: string | number) => ({
  description,
  schema,
  example,
  // An answer that refers to a header always has it.
  required: true,
});
const createTextSchema = (pattern: string) => ({ type: "string", pattern });
const LIMIT = TIER_RULES.starter.requestsPerDay;
const LEFT = LIMIT - 37;

const EVERYWHERE = {
  "X-Request-Id": describeHeader(
    "Names this request in the service's log. Send your own id and you get it back.",
    createTextSchema("^[A-Za-z0-9_-]{8,64}$"),
    "req_5f0c1a9be27d43f6a1c2d3e4",
  ),
  "Cache-Control": describeHeader(
    "Answers are private to the key and not stored.",
    { type: "string", const: "private, no-store" },
    "private, no-store",
  ),
};
const COUNTED = {
  "X-RateLimit-Limit": describeHeader("Requests per UTC day of the key", { type: "integer", minimum: 1 }, LIMIT),
  "X-RateLimit-Remaining": describeHeader("Requests left today", { type: "integer", minimum: 0 }, LEFT),
  "X-RateLimit-Tier": describeHeader("Tier of the key", { type: "string", enum: TIERS }, "starter"),
  "RateLimit-Policy": describeHeader(
    "The limit in the standard form: `q` requests in `w` seconds",
    createTextSchema('^"daily";q=\\d+;w=86400$'),
    `"daily";q=${LIMIT};w=86400`,
  ),
  RateLimit: describeHeader(
    "The standard form: `r` requests left, resets in `t` seconds",
    createTextSchema('^"daily";r=\\d+;t=\\d+$'),
    `"daily";r=${LEFT};t=41230`,
  ),
};
const RETRY = {
  "Retry-After": describeHeader(
    "Seconds after which the request may succeed; after 429, the seconds until midnight UTC",
    { type: "integer", minimum: 1 },
    41230,
  ),
};
const HELP = {
  Link: describeHeader(
    "The section of the guides that explains the error",
    createTextSchema('^<\\S*/docs/errors#\\d{3}>; rel="help"$'),
    '<https://growth.example/docs/errors#400>; rel="help"',
  ),
};
const ALLOW = {
  Allow: describeHeader("The methods that the path supports", createTextSchema("^[A-Z]+(, [A-Z]+)*$"), "GET, HEAD"),
};

/** Of a CSV answer only, so not required. */
const CSV = {
  "X-Total-Rows": {
    ...describeHeader("With format=csv: rows that match the filter", { type: "integer", minimum: 0 }, 2),
    required: false,
  },
  "X-Truncated": {
    ...describeHeader(
      "With format=csv: true when the file has only the first 10,000 rows",
      createTextSchema("^(true|false)$"),
      "false",
    ),
    required: false,
  },
};

/** Of answers to the sandbox key only, so not required. */
const SANDBOX = {
  [SANDBOX_HEADER]: {
    ...describeHeader(
      "Sandbox only: the time in your session, and when it is deleted in real time",
      createTextSchema("^clock=[0-9TZ:.-]+; ends=[0-9TZ:.-]+$"),
      "clock=2030-01-01T12:00:00.000Z; ends=2026-11-26T10:00:00.000Z",
    ),
    required: false,
  },
};

export const HEADERS = { ...SANDBOX, ...EVERYWHERE, ...COUNTED, ...RETRY, ...HELP, ...ALLOW, ...CSV };

/** References to the headers that an answer always has. */
export function pickHeaders(answer: {
  hasRateHeaders: boolean;
  retries?: boolean;
  allows?: boolean;
  hasCsv?: boolean;
  isError?: boolean;
}): object {
  const names = Object.keys({
    ...EVERYWHERE,
    ...((answer.hasRateHeaders || answer.isError) && SANDBOX),
    ...(answer.hasRateHeaders && COUNTED),
    ...(answer.retries && RETRY),
    ...(answer.isError && HELP),
    ...(answer.allows && ALLOW),
    ...(answer.hasCsv && CSV),
  });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
