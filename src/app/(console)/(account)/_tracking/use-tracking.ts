import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ExplainedDiscovery } from "@/features/discovery/service";
import { toFailure } from "../../_client/failure";
import { trpc } from "../../_client/trpc";

/** Tracks or untracks one creator. Both are optimistic and run in order, so the last click wins. */
export function useTracking(channelId: string) {
  const queryClient = useQueryClient();
  const mark = (isTracked: boolean) => markTracked(queryClient, [channelId], isTracked);
  const scope = { id: `track ${channelId}` };
  const onSettled = useFollowUp();
  const untrack = trpc.creators.untrack.useMutation({
    scope,
    onMutate: () => mark(false),
    // Not found: tracking had failed, so there is nothing to undo.
    onError: (error) => mark(toFailure(error).code !== "NOT_FOUND"),
    onSettled,
  });
  const track = trpc.creators.track.useMutation({
    scope,
    onMutate: () => {
      untrack.reset();
      mark(true);
    },
    onError: () => mark(false),
    onSettled,
  });
  return { track, untrack };
}

/** Tracks many creators with one request; `refused` says by channel why one is not tracked. */
export function useTrackMany() {
  const queryClient = useQueryClient();
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const trackMany = trpc.creators.trackMany.useMutation({
    onSuccess({ results }, { channel_ids }) {
      const errors = results.flatMap((result, at) => ("error" in result ? [[channel_ids[at], result.error]] : []));
      const refused = Object.fromEntries(errors);
      const tracked = channel_ids.filter((id) => !(id in refused));
      markTracked(queryClient, tracked, true);
      setRefused(refused);
    },
    onSettled: useFollowUp(),
  });
  return { trackMany, refused };
}

/** Invalidates queries of tracked creators. Not with the router: that would revert a filter changed meanwhile. */
export function useFollowUp() {
  const utils = trpc.useUtils();
  return (_answer: unknown, error: unknown) => {
    if (error && toFailure(error).code === null) return;
    for (const query of [utils.creators, utils.lists, utils.usage, utils.keys.firstSteps])
      void query.invalidate(undefined, { refetchType: "active" });
  };
}

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
