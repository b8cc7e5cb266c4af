import type { Metadata } from "next";
import { DiscoverQuery } from "@/features/discovery/schema";
import { getAppContext } from "@/server/context";
import { withRequestDigest } from "../../../request-id";
import { createPrefetchHelpers, Prefetched, readUrlState, requireKey, type SearchParams } from "../../_server/page";
import { PageHeader } from "../../_ui/page-header";
import { Discover } from "./discover";
import { AllowanceNote } from "./notices";
import { DEFAULTS, toQuery } from "./search";

export const metadata: Metadata = { title: "Discover" };

export default async function DiscoverPage({ searchParams }: { searchParams: SearchParams }) {
  const key = await requireKey();
  const helpers = createPrefetchHelpers(key);
  const query = toQuery(readUrlState(await searchParams, DEFAULTS));
  // Today's answer to the search in the URL: a reload or a new session shows it again. Helpers of its own keep it out of
  // the prefetched state, which would overwrite what was tracked or undone while the page refreshes.
  const { again } = createPrefetchHelpers(key).discovery;
  const [earlier] = await Promise.all([
    DiscoverQuery.safeParse(query).success ? withRequestDigest(again.fetch(query)) : null,
    helpers.discovery.map.prefetch(),
    helpers.discovery.allowance.prefetch(),
  ]);
  return (
    <Prefetched keyId={key.id} helpers={helpers}>
      <PageHeader title="Discover">
        <AllowanceNote />
      </PageHeader>
      <Discover appUrl={getAppContext().env.appUrl} earlier={earlier} />
    </Prefetched>
  );
}
