import { z } from "zod";
import { TIERS } from "@/db/values";
import { formatPerTier } from "@/features/usage/tiers.rules";

export const Usage = z.object({
  tier: z.enum(TIERS).describe("Tier of your key"),
  requests_today: z.int().min(0).describe("Requests counted today (UTC), including this one"),
  requests_limit: z.int().describe("Daily limit of your tier"),
  creators_tracked: z.int().min(0).describe("Creators your key tracks"),
  alerts_count: z.int().min(0).describe("Alerts of your key"),
  new_niches_today: z.int().min(0).describe("New niches searched for this key today (UTC)"),
  new_niches_limit: z.int().describe("New niches your tier can search per UTC day. Further ones are queued"),
  tier_limits: z
    .object({
      free: z.int().describe("Requests per UTC day"),
      starter: z.int().describe("Requests per UTC day"),
      pro: z.int().describe("Requests per UTC day"),
    })
    .describe(`Daily limit of each tier: ${formatPerTier("requestsPerDay")}`),
});
export type Usage = z.output<typeof Usage>;

const UsageDay = z
  .object({ day: z.iso.date().describe("UTC day"), requests: z.int().min(0).describe("Requests counted") })
  .meta({ id: "UsageDay", description: "Requests of a day" });

export const UsageByDay = z.object({
  days: z.array(UsageDay).describe("The last 30 UTC days, oldest first; a day without requests has 0"),
});
export type UsageByDay = z.output<typeof UsageByDay>;
