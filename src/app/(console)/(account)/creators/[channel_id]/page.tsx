import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { isAppError } from "@/core/errors";
import { toUtcDay } from "@/core/time";
import { isChannelId } from "@/features/creators/rules";
import type { CreatorDetails } from "@/features/creators/schema";
import { getTrackedCreator } from "@/features/creators/service";
import { getAppContext } from "@/server/context";
import { withRequestDigest } from "../../../../request-id";
import { createPrefetchHelpers, Prefetched, readUrlState, requireKey, type SearchParams } from "../../../_server/page";
import { toNeighborsQuery } from "../../overview/tracked-query";
import { parseView, VIEW_DEFAULTS } from "./_chart/view-state";
import { buildAlertsQuery } from "./alerts-query";
import { CreatorView } from "./creator-view";

interface CreatorPageProps {
  params: Promise<{ channel_id: string }>;
  searchParams: SearchParams;
}

/** The tracked creator, or null. Read once for title and page. */
const loadCreator = cache(async (channelId: string): Promise<CreatorDetails | null> => {
  const { id } = await requireKey();
  // Other texts are no ids and must not reach the log.
  if (!isChannelId(channelId)) return null;
  try {
    return await withRequestDigest(getTrackedCreator(getAppContext(), id, channelId));
  } catch (error) {
    if (isAppError(error) && error.status === 404) return null;
    throw error;
  }
});

export async function generateMetadata({ params }: Pick<CreatorPageProps, "params">): Promise<Metadata> {
  const creator = await loadCreator((await params).channel_id);
  return { title: creator?.name ?? "Not tracked" };
}

export default async function CreatorPage({ params, searchParams }: CreatorPageProps) {
  const key = await requireKey();
  const creator = await loadCreator((await params).channel_id);
  if (!creator) notFound();
  const { channel_id } = creator;
  const helpers = createPrefetchHelpers(key);
  const { via, ...view } = readUrlState(await searchParams, { ...VIEW_DEFAULTS, via: "" });
  const { compared } = parseView(view, channel_id);
  await Promise.all([
    helpers.creators.history.prefetch({ channel_id }),
    helpers.creators.chart.prefetch({ compared }),
    helpers.alerts.list.prefetch(buildAlertsQuery(channel_id)),
    helpers.creators.neighbors.prefetch(toNeighborsQuery(channel_id, via)),
    helpers.lists.all.prefetch(),
    helpers.lists.of.prefetch({ channel_id }),
  ]);
  return (
    <Prefetched keyId={key.id} helpers={helpers}>
      <CreatorView initial={creator} today={toUtcDay(getAppContext().clock.now())} />
    </Prefetched>
  );
}
