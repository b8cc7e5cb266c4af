import type { Metadata } from "next";
import { utcDay } from "@/core/time";
import { firstSteps } from "@/features/keys/service";
import { appContext } from "@/server/context";
import { named } from "../../../request-id";
import { MadeFor } from "../../_client/made-for";
import { Prefetched } from "../../_client/prefetched";
import { SHOWN } from "../../_client/todays-alerts";
import { addressState, prefetchHelpers, type SearchParams } from "../../_server/prefetch";
import { requireKey } from "../../_server/session";
import { Overview } from "./overview";
import { DEFAULTS, trackedQueryOf } from "./tracked-query";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = appContext();
  const key = await requireKey();
  const helpers = prefetchHelpers(key);
  const asked = trackedQueryOf(addressState(await searchParams, DEFAULTS));
  // Loaded before the first paint, so that nothing shifts.
  const [steps] = await Promise.all([
    named(firstSteps(ctx, key.id)),
    helpers.creators.tracked.prefetch(asked),
    helpers.lists.all.prefetch(),
    helpers.alerts.list.prefetch({ day: utcDay(ctx.clock.now()), limit: SHOWN }),
  ]);
  return (
    <MadeFor keyId={key.id}>
      <Prefetched state={helpers.dehydrate()}>
        <Overview appUrl={ctx.env.appUrl} firstSteps={steps} />
      </Prefetched>
    </MadeFor>
  );
}
