import { TIER_LIMITS, TIERS } from "@/core/config/tiers";

const header = (description: string, schema: object, example: string | number) => ({
  description,
  schema,
  example,
  // An answer that refers to a header always has it.
  required: true,
});
const text = (pattern: string) => ({ type: "string", pattern });
const LIMIT = TIER_LIMITS.starter;
const LEFT = LIMIT - 37;

const EVERYWHERE = {
  "X-Request-Id": header(
    "Names this request in the service's log. Send your own id and you get it back.",
    text("^[A-Za-z0-9_-]{8,64}$"),
    "req_5f0c1a9be27d43f6a1c2d3e4",
  ),
  "Cache-Control": header(
    "Answers are private to the key and not stored.",
    { type: "string", const: "private, no-store" },
    "private, no-store",
  ),
};
const COUNTED = {
  "X-RateLimit-Limit": header("Requests per UTC day of the key", { type: "integer", minimum: 1 }, LIMIT),
  "X-RateLimit-Remaining": header("Requests left today", { type: "integer", minimum: 0 }, LEFT),
  "X-RateLimit-Tier": header("Tier of the key", { type: "string", enum: TIERS }, "starter"),
  "RateLimit-Policy": header(
    "The limit in the standard form: `q` requests in `w` seconds",
    text('^"daily";q=\\d+;w=86400$'),
    `"daily";q=${LIMIT};w=86400`,
  ),
  RateLimit: header(
    "The standard form: `r` requests left, resets in `t` seconds",
    text('^"daily";r=\\d+;t=\\d+$'),
    `"daily";r=${LEFT};t=41230`,
  ),
};
const RETRY = {
  "Retry-After": header(
    "Seconds after which the request may succeed; after 429, the seconds until midnight UTC",
    { type: "integer", minimum: 1 },
    41230,
  ),
};
const ALLOW = {
  Allow: header("The methods that the path supports", text("^[A-Z]+(, [A-Z]+)*$"), "GET, HEAD"),
};

export const HEADERS = { ...EVERYWHERE, ...COUNTED, ...RETRY, ...ALLOW };

/** References to the headers that an answer always has. */
export function headers(answer: { hasRateHeaders: boolean; retries?: boolean; allows?: boolean }): object {
  const names = Object.keys({
    ...EVERYWHERE,
    ...(answer.hasRateHeaders && COUNTED),
    ...(answer.retries && RETRY),
    ...(answer.allows && ALLOW),
  });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
