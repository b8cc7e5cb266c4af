import { defineEndpoint } from "@/features/endpoint";
import { countRequests, queryRequests } from "./request-log.service";
import {
  EXAMPLE_ENTRY,
  REQUEST_CSV,
  RequestPage,
  RequestQuery,
  Usage,
  UsageByDay,
  UsageByEndpoint,
  UsageRange,
} from "./schema";
import { getUsage, getUsageByDay } from "./service";
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
  defineEndpoint(
    {
      method: "GET",
      path: "/api/usage/days",
      id: "getUsageByDay",
      tag: "Usage",
      summary: "Your requests on each of the last 30 UTC days",
      description: "The requests that counted, oldest day first. Today's include this one.",
      answer: UsageByDay,
      example: {
        answer: {
          days: [
            { day: "2026-11-19", requests: 212 },
            { day: "2026-11-20", requests: 37 },
          ],
        },
      },
    },
    ({ ctx, key }) => getUsageByDay(ctx, key),
  ),
  defineEndpoint(
    {
      method: "GET",
      path: "/api/usage/endpoints",
      id: "getUsageByEndpoint",
      tag: "Usage",
      summary: "Your requests of the last 7 days by endpoint and status",
      description: "Totals of the log of `GET /api/usage/requests`, also of requests refused with 429.",
      query: UsageRange,
      answer: UsageByEndpoint,
      example: {
        query: { from: "2026-11-20" },
        answer: {
          endpoints: [
            { method: "GET", endpoint: "/api/alerts", status: 200, requests: 31 },
            { method: "GET", endpoint: "/api/track/{channel_id}", status: 404, requests: 2 },
          ],
        },
      },
    },
    ({ ctx, key, query }) => countRequests(ctx, key.id, query),
  ),
  defineEndpoint(
    {
      method: "GET",
      path: "/api/usage/requests",
      id: "listRequests",
      tag: "Usage",
      summary: "Your requests of the last 7 days, newest first",
      description:
        "Each request with its status and duration, also those refused with 429. A request appears about a second after its " +
        "response. Send `next_before` as `before` to get the next page.",
      query: RequestQuery,
      answer: RequestPage,
      csv: {
        columns: REQUEST_CSV,
        example: `${REQUEST_CSV.join(",")}\r\n${Object.values(EXAMPLE_ENTRY).join(",")}\r\n`,
      },
      example: {
        query: { status: "4xx", limit: 20 },
        answer: { requests: [EXAMPLE_ENTRY], next_before: null },
      },
    },
    ({ ctx, key, query }) => queryRequests(ctx, key.id, query),
  ),
];
