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
const OPTIONAL = ["sandbox", "lifetime", "ignored", "kept", "csv"];

export const HEADERS = Object.fromEntries(
  Object.entries(groups).flatMap(([group, headers]) =>
    Object.entries<object>(headers).map(([name, header]) => [
      name,
      { ...header, ...OF_TIERS[name], required: !OPTIONAL.includes(group) },
    ]),
  ),
);

type Group = keyof typeof groups;

/** References to the headers that all answers have, and to those of the given groups. */
export function pickHeaders(...given: (Group | false | undefined)[]): object {
  const names = ["everywhere" as const, ...given].flatMap((group) => (group ? Object.keys(groups[group]) : []));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
