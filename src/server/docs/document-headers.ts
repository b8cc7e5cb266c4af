import { TIERS } from "@/db/values";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import groups from "./headers.json" with { type: "json" };

const LIMIT = TIER_RULES.starter.requestsPerDay;
const LEFT = LIMIT - 37;

/** What follows from the tiers. */
const OF_TIERS: Record<string, object> = {
  "X-RateLimit-Limit": { example: LIMIT },
  "X-RateLimit-Remaining": { example: LEFT },
  "X-RateLimit-Tier": { schema: { type: "string", enum: TIERS }, example: "starter" },
  "RateLimit-Policy": { example: `"daily";q=${LIMIT};w=86400` },
  RateLimit: { example: `"daily";r=${LEFT};t=41230` },
};

/** Groups of headers that some of the answers lack. An answer that refers to any other header always has it. */
const OPTIONAL = ["sandbox", "csv"];

export const HEADERS = Object.fromEntries(
  Object.entries(groups).flatMap(([group, headers]) =>
    Object.entries<object>(headers).map(([name, header]) => [
      name,
      { ...header, ...OF_TIERS[name], required: !OPTIONAL.includes(group) },
    ]),
  ),
);

/** References to the headers that an answer has. */
export function pickHeaders(answer: {
  hasRateHeaders: boolean;
  retries?: boolean;
  allows?: boolean;
  hasCsv?: boolean;
  isError?: boolean;
}): object {
  const { hasRateHeaders, isError } = answer;
  const names = Object.keys({
    ...groups.everywhere,
    ...((hasRateHeaders || isError) && groups.sandbox),
    ...(hasRateHeaders && groups.counted),
    ...(answer.retries && groups.retry),
    ...(isError && groups.help),
    ...(answer.allows && groups.allow),
    ...(answer.hasCsv && groups.csv),
  });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
