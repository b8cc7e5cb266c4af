import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { toUtcDay } from "@/core/time";
import { getFirstSteps } from "@/features/keys/service";
import { getAppContext } from "@/server/context";
import { withRequestDigest } from "../../../request-id";
import { KeyGuard } from "../../_client/key-guard";
import { createPrefetchHelpers, readUrlState, type SearchParams } from "../../_server/prefetch";
import { requireKey } from "../../_server/session";
import { Overview } from "./overview";
import { ALERTS_SHOWN, DEFAULTS, toTrackedQuery } from "./tracked-query";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = getAppContext();
  const key = await requireKey();
  const helpers = createPrefetchHelpers(key);
  const query = toTrackedQuery(readUrlState(await searchParams, DEFAULTS));
  // Loaded before the first paint, so that nothing shifts.
  const [steps] = await Promise.all([
    withRequestDigest(getFirstSteps(ctx, key.id)),
    helpers.creators.tracked.prefetch(query),
    helpers.lists.all.prefetch(),
    helpers.alerts.list.prefetch({ day: toUtcDay(ctx.clock.now()), limit: ALERTS_SHOWN }),
  ]);
  return (
    <KeyGuard keyId={key.id}>
      <HydrationBoundary state={helpers.dehydrate()}>
        <Overview appUrl={ctx.env.appUrl} firstSteps={steps} />
      </HydrationBoundary>
    </KeyGuard>
  );
}
