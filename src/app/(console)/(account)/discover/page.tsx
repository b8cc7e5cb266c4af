import type { Metadata } from "next";
import { NICHE_MAP } from "@/features/discovery/map.rules";
import { DiscoverQuery, type ExplainedDiscovery } from "@/features/discovery/schema";
import { appContext } from "@/server/context";
import { named } from "../../../request-id";
import { addressState, prefetchHelpers, type SearchParams } from "../../_server/prefetch";
import { requireKey } from "../../_server/session";
import { PageHeader } from "../../_ui/page-header";
import { CostNote } from "./cost-note";
import { Discover } from "./discover";
import { asQuery, EMPTY_SEARCH } from "./search";

export const metadata: Metadata = { title: "Discover" };

export default async function DiscoverPage({ searchParams }: { searchParams: SearchParams }) {
  const { env } = appContext();
  return (
    <>
      <PageHeader title="Discover" lead={<CostNote />} />
      <Discover
        niches={NICHE_MAP.flatMap(({ niches }) => niches)}
        appUrl={env.appUrl}
        earlier={await earlierAnswer(await searchParams)}
      />
    </>
  );
}

/** The answer to the search in the URL, if the key has made it today: a reload or a new session shows it again. */
async function earlierAnswer(given: Awaited<SearchParams>): Promise<ExplainedDiscovery | null> {
  const asked = asQuery(addressState(given, EMPTY_SEARCH));
  if (!DiscoverQuery.safeParse(asked).success) return null;
  return named(prefetchHelpers(await requireKey()).discovery.again.fetch(asked));
}
