import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ExplainedDiscovery } from "@/features/discovery/service";
import { toFailure } from "../../_client/failure";
import { toastFailure } from "../../_client/toast";
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

/** Adds creators to a list or removes them from it. @param onRemoved called with the number of removed creators */
export function useListChange(onRemoved?: (removed: number) => void) {
  const utils = trpc.useUtils();
  const followUp = {
    onError: toastFailure,
    onSettled: () => Promise.all([utils.lists.invalidate(), utils.creators.tracked.invalidate()]),
  };
  const add = trpc.lists.add.useMutation(followUp);
  const remove = trpc.lists.remove.useMutation({ ...followUp, onSuccess: ({ changed }) => onRemoved?.(changed) });
  return { add, remove };
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

interface WithChannel {
  channel_id: string;
}

export type Selection<Row extends WithChannel> = ReturnType<typeof useSelection<Row>>;

/** Rows of creators, and which of them are selected. Those on other pages or behind a filter do not count. */
export function useSelection<Row extends WithChannel>(rows: readonly Row[]) {
  const [ids, setIds] = useState<readonly string[]>([]);
  return {
    /** Of all rows. */
    ids: rows.map(({ channel_id }) => channel_id),
    selected: rows.filter(({ channel_id }) => ids.includes(channel_id)),
    isSelected: (channelId: string) => ids.includes(channelId),
    select: (channelIds: readonly string[], isSelected: boolean) =>
      setIds((before) => {
        const others = before.filter((id) => !channelIds.includes(id));
        return isSelected ? [...others, ...channelIds] : others;
      }),
    clear: () => setIds([]),
  };
}
