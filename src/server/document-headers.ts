import { TIER_LIMITS, TIERS } from "@/core/config/tiers";

const EVERYWHERE = {
  "X-Request-Id": {
    description: "Names this request in the service's log. A caller's own plain id is given back.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{8,64}$" },
    example: "req_5f0c1a9be27d43f6a1c2d3e4",
  },
  "Cache-Control": {
    description: "Answers are private to the key and not to be stored.",
    schema: { type: "string", const: "private, no-store" },
  },
};

const COUNTED = {
  "X-RateLimit-Limit": {
    description: "Requests per UTC day of the key",
    schema: { type: "integer", minimum: 1 },
    example: TIER_LIMITS.starter,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left today",
    schema: { type: "integer", minimum: 0 },
    example: TIER_LIMITS.starter - 37,
  },
  "X-RateLimit-Tier": {
    description: "Tier of the key",
    schema: { type: "string", enum: TIERS },
    example: "starter",
  },
  "RateLimit-Policy": {
    description: "The limit in the standard form: `q` requests in `w` seconds",
    schema: { type: "string", pattern: '^"daily";q=\\d+;w=86400$' },
    example: `"daily";q=${TIER_LIMITS.starter};w=86400`,
  },
  RateLimit: {
    description: "What is left in the standard form: `r` requests, anew in `t` seconds",
    schema: { type: "string", pattern: '^"daily";r=\\d+;t=\\d+$' },
    example: `"daily";r=${TIER_LIMITS.starter - 37};t=41230`,
  },
};

const RETRY = {
  "Retry-After": {
    description: "Whole seconds after which the same request may succeed; after 429 those until midnight UTC",
    schema: { type: "integer", minimum: 1 },
    example: 41230,
  },
};

const ALLOW = {
  Allow: {
    description: "The methods that the path has",
    schema: { type: "string", pattern: "^[A-Z]+(, [A-Z]+)*$" },
    example: "GET, HEAD",
  },
};

/** Every header of an answer that the document describes. Where one is referred to, it is always there. */
export const HEADERS = Object.fromEntries(
  Object.entries({ ...EVERYWHERE, ...COUNTED, ...RETRY, ...ALLOW }).map(([name, header]) => [
    name,
    { ...header, required: true },
  ]),
);

/** What an answer tells besides its body. */
interface Occasion {
  isCounted: boolean;
  retries?: boolean;
  allows?: boolean;
}

/** References to the headers that an answer always has. */
export function headers({ isCounted, retries, allows }: Occasion): object {
  const names = Object.keys({
    ...EVERYWHERE,
    ...(isCounted && COUNTED),
    ...(retries && RETRY),
    ...(allows && ALLOW),
  });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
