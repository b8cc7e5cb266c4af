import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getFirstSteps } from "@/features/keys/service";
import { listCreatorLists } from "@/features/lists/service";
import { getAppContext } from "@/server/context";
import { withRequestDigest } from "../../../request-id";
import { createPrefetchHelpers, Prefetched, readUrlState, requireKey, type SearchParams } from "../../_server/page";
import { Overview } from "./overview";
import { DEFAULTS, toTabsQuery, toTrackedQuery } from "./tracked-query";
import { readVisits } from "./visits";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = getAppContext();
  const key = await requireKey();
  const given = await searchParams;
  const visits = readVisits((await headers()).get("cookie") ?? "", ctx.clock.now());
  if (visits.list !== "" && Object.keys(given).length === 0) {
    const { lists } = await withRequestDigest(listCreatorLists(ctx, key.id));
    if (lists.some(({ id }) => id === visits.list)) redirect(`/overview?list=${visits.list}`);
  }
  const helpers = createPrefetchHelpers(key);
  // Loaded before the first paint, so that nothing shifts.
  const [steps] = await Promise.all([
    withRequestDigest(getFirstSteps(ctx, key.id)),
    helpers.creators.tracked.prefetch(toTrackedQuery(readUrlState(given, DEFAULTS))),
    helpers.creators.tabs.prefetch(toTabsQuery(visits.lastVisit)),
  ]);
  return (
    <Prefetched keyId={key.id} helpers={helpers}>
      <Overview appUrl={ctx.env.appUrl} firstSteps={steps} lastVisit={visits.lastVisit} />
    </Prefetched>
  );
}
