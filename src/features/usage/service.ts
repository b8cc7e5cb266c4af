import { sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { alerts, trackedCreators } from "@/core/db/schema";
import { TIER_LIMITS } from "@/core/tiers";
import type { Key } from "@/features/keys/schema";
import type { Usage } from "./schema";

/** The usage record of a key, given the requests already counted today. */
export async function usageOf({ db }: CoreContext, key: Key, requestsToday: number): Promise<Usage> {
  const [counted] = await db.execute<{ creators: number; alerts: number }>(sql`
    select (select count(*)::int from ${trackedCreators} where key_id = ${key.id}) as creators,
           (select count(*)::int from ${alerts} where key_id = ${key.id}) as alerts`);
  return {
    tier: key.tier,
    requests_today: requestsToday,
    requests_limit: TIER_LIMITS[key.tier],
    creators_tracked: counted?.creators ?? 0,
    alerts_count: counted?.alerts ?? 0,
    tier_limits: { ...TIER_LIMITS },
  };
}
