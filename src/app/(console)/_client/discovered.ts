"use client";

import type { QueryClient } from "@tanstack/react-query";
import type { ExplainedDiscovery } from "@/features/discovery/schema";

/** Query key of search results. A search uses a request, so going back must not repeat it. */
export const DISCOVERED = "discovered";

/** Marks a creator as tracked or not in all cached results. */
export function markTracked(queryClient: QueryClient, channelId: string, isTracked: boolean): void {
  queryClient.setQueriesData<ExplainedDiscovery>(
    { queryKey: [DISCOVERED] },
    (answer) =>
      answer && {
        ...answer,
        creators: answer.creators.map((creator) =>
          creator.channel_id === channelId ? { ...creator, is_tracked: isTracked } : creator,
        ),
      },
  );
}
