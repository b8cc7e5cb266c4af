import { TIER_LIMITS, TIERS } from "@/core/config/tiers";

const EVERYWHERE = {
  "X-Request-Id": {
    description: "Names this request in the service's log. Send your own id and you get it back.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{8,64}$" },
    example: "req_5f0c1a9be27d43f6a1c2d3e4",
  },
  "Cache-Control": {
    description: "Answers are private to the key and not stored.",
    schema: { type: "string", const: "private, no-store" },
  },
};

const LIMIT = TIER_LIMITS.starter;
const COUNTED = {
  "X-RateLimit-Limit": {
    description: "Requests per UTC day of the key",
    schema: { type: "integer", minimum: 1 },
    example: LIMIT,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left today",
    schema: { type: "integer", minimum: 0 },
    example: LIMIT - 37,
  },
  "X-RateLimit-Tier": {
    description: "Tier of the key",
    schema: { type: "string", enum: TIERS },
    example: "starter",
  },
  "RateLimit-Policy": {
    description: "The limit in the standard form: `q` requests in `w` seconds",
    schema: { type: "string", pattern: '^"daily";q=\\d+;w=86400$' },
    example: `"daily";q=${LIMIT};w=86400`,
  },
  RateLimit: {
    description: "The standard form: `r` requests left, resets in `t` seconds",
    schema: { type: "string", pattern: '^"daily";r=\\d+;t=\\d+$' },
    example: `"daily";r=${LIMIT - 37};t=41230`,
  },
};

const RETRY = {
  "Retry-After": {
    description: "Seconds after which the request may succeed; after 429, the seconds until midnight UTC",
    schema: { type: "integer", minimum: 1 },
    example: 41230,
  },
};

const ALLOW = {
  Allow: {
    description: "The methods that the path supports",
    schema: { type: "string", pattern: "^[A-Z]+(, [A-Z]+)*$" },
    example: "GET, HEAD",
  },
};

const ALL = { ...EVERYWHERE, ...COUNTED, ...RETRY, ...ALLOW };

/** Every documented header. An answer that refers to one always has it. */
export const HEADERS = Object.fromEntries(
  Object.entries(ALL).map(([name, header]) => [name, { ...header, required: true }]),
);

/** References to the headers that an answer always has. */
export function headers(answer: { isCounted: boolean; retries?: boolean; allows?: boolean }): object {
  const names = Object.keys({
    ...EVERYWHERE,
    ...(answer.isCounted && COUNTED),
    ...(answer.retries && RETRY),
    ...(answer.allows && ALLOW),
  });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
