import type { QueryClient } from "@tanstack/react-query";
import type { ExplainedDiscovery } from "@/features/discovery/service";

/** Query key of all results of searches: that of `discovery.again`. */
const DISCOVERED = [["discovery", "again"]];

/** Marks creators as tracked or not in all cached results. */
export function markTracked(queryClient: QueryClient, channelIds: readonly string[], isTracked: boolean): void {
  queryClient.setQueriesData<ExplainedDiscovery | null>(
    { queryKey: DISCOVERED },
    (answer) =>
      answer && {
        ...answer,
        creators: answer.creators.map((creator) =>
          channelIds.includes(creator.channel_id) ? { ...creator, is_tracked: isTracked } : creator,
        ),
      },
  );
}
