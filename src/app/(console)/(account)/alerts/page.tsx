import type { Metadata } from "next";
import { toUtcDay } from "@/core/time";
import { getAppContext } from "@/server/context";
import { createPrefetchHelpers, Prefetched, readUrlState, requireKey, type SearchParams } from "../../_server/page";
import { Inbox } from "./inbox";
import { DEFAULTS, toFilter, toInboxQuery } from "./inbox-query";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsPage({ searchParams }: { searchParams: SearchParams }) {
  const key = await requireKey();
  const { clock, env, platform } = getAppContext();
  const helpers = createPrefetchHelpers(key);
  const state = readUrlState(await searchParams, DEFAULTS);
  // Loaded before the first paint, so that nothing shifts.
  await Promise.all([
    helpers.alerts.inbox.prefetch(toInboxQuery(state)),
    helpers.alerts.summary.prefetch(toFilter(state)),
    helpers.mutes.all.prefetch(),
  ]);
  return (
    <Prefetched keyId={key.id} helpers={helpers}>
      <Inbox appUrl={env.appUrl} today={toUtcDay(clock.now())} isSample={platform.name === "sample"} />
    </Prefetched>
  );
}
