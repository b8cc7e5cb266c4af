import type { Metadata } from "next";
import { firstSteps } from "@/features/keys/service";
import { appContext } from "@/server/context";
import { Prefetched } from "../../_client/prefetched";
import { prefetchHelpers } from "../../_server/prefetch";
import { requireKey } from "../../_server/session";
import { Overview } from "./overview";
import { DEFAULTS, trackedQueryOf } from "./tracked-query";

export const metadata: Metadata = { title: "Overview" };

interface OverviewPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function OverviewPage({ searchParams }: OverviewPageProps) {
  const ctx = appContext();
  const key = await requireKey();
  const helpers = prefetchHelpers(key);
  const given = await searchParams;
  const names = Object.entries(DEFAULTS).map(([name, usual]) => [name, [given[name]].flat()[0] ?? usual]);
  // Known before the first paint, so that nothing moves when it comes in or stays away.
  const [steps] = await Promise.all([
    firstSteps(ctx, key.id),
    helpers.creators.tracked.prefetch(trackedQueryOf(Object.fromEntries(names))),
    helpers.snapshots.status.prefetch(),
  ]);
  return (
    <Prefetched state={helpers.dehydrate()}>
      <Overview appUrl={ctx.env.appUrl} firstSteps={steps} />
    </Prefetched>
  );
}
