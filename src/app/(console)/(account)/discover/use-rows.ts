import { useState } from "react";
import type { FoundCreator } from "@/features/discovery/service";
import { useSelection } from "../_tracking/use-selection";
import { useTrackMany } from "../_tracking/use-tracking";

export interface RowActions extends ReturnType<typeof useRows> {
  /** Whether the rows are not yet those asked for. */
  isBusy: boolean;
}

/**
 * The shown creators, which of them are selected, and tracking several at once.
 * @param hidesTracked leaves out tracked creators, but keeps those tracked just now, so that no row vanishes at a press
 */
export function useRows(creators: readonly FoundCreator[], hidesTracked: boolean) {
  const [justTracked, setJustTracked] = useState<readonly string[]>([]);
  const { trackMany, refused } = useTrackMany();
  const rows = creators.filter(
    ({ channel_id, is_tracked }) => !hidesTracked || !is_tracked || justTracked.includes(channel_id),
  );
  const untracked = rows.filter(({ is_tracked }) => !is_tracked);
  const onTracked = (...channelIds: string[]) => setJustTracked((ids) => [...ids, ...channelIds]);
  return {
    ...useSelection(untracked),
    rows,
    untracked,
    /** By channel, why it could not be tracked. */
    refused,
    /** Called when a row's creator is tracked or untracked. */
    onTracked,
    trackMany,
    /** Tracks creators; the ids of those that are tracked then. */
    track: async (chosen: readonly FoundCreator[]): Promise<string[]> => {
      const channel_ids = chosen.map(({ channel_id }) => channel_id);
      onTracked(...channel_ids);
      const answer = await trackMany.mutateAsync({ channel_ids }).catch(() => null);
      return answer?.results.flatMap((result) => result.creator?.channel_id ?? []) ?? [];
    },
  };
}
