"use client";

import type { QueryClient } from "@tanstack/react-query";
import type { ExplainedDiscovery } from "@/features/discovery/schema";

/** Under which found answers are kept for the session: a search costs a request, so going back must not repeat it. */
export const DISCOVERED = "discovered";

/** Notes in every kept answer that a creator is tracked by now, or is not any more. */
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
