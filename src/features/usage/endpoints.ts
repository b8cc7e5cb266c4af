import { defineEndpoint } from "@/features/endpoint";
import { Usage } from "./schema";
import { getUsage } from "./service";
import { TIER_LIMITS, TIER_RULES } from "./tiers.rules";

export const usageEndpoints = [
  defineEndpoint(
    {
      method: "GET",
      path: "/api/usage",
      id: "getUsage",
      tag: "Usage",
      summary: "Your usage today, your limit and your totals",
      description: "Counts as a request: the first of a day returns `requests_today: 1`.",
      answer: Usage,
      example: {
        answer: {
          tier: "starter",
          requests_today: 37,
          requests_limit: TIER_RULES.starter.requestsPerDay,
          creators_tracked: 12,
          alerts_count: 3,
          new_niches_today: 1,
          new_niches_limit: TIER_RULES.starter.newNichesPerDay,
          tier_limits: TIER_LIMITS,
        },
      },
    },
    ({ ctx, key, usedToday }) => getUsage(ctx, key, usedToday),
  ),
];
