"use client";

import { useState } from "react";
import type { FoundCreator } from "@/features/discovery/schema";
import { useTrackMany } from "../_tracking/use-tracking";

/** What the rows of found creators can do. */
export interface RowActions {
  /** Channel ids of the selected creators. */
  selected: readonly string[];
  select: (channelIds: readonly string[], isSelected: boolean) => void;
  /** By channel, why it could not be tracked. */
  refused: Readonly<Record<string, string>>;
  /** Called when a row's creator is tracked or untracked. */
  onTracked: (channelId: string) => void;
  onCountry: (country: string) => void;
}

/**
 * The shown creators, which of them are selected, and tracking several at once.
 * @param hidesTracked leaves out tracked creators, but keeps those tracked just now, so that no row vanishes at a press
 */
export function useSelection(creators: readonly FoundCreator[], hidesTracked: boolean) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [justTracked, setJustTracked] = useState<readonly string[]>([]);
  const { trackMany, refused } = useTrackMany();
  const rows = creators.filter(
    ({ channel_id, is_tracked }) => !hidesTracked || !is_tracked || justTracked.includes(channel_id),
  );
  const untracked = rows.filter(({ is_tracked }) => !is_tracked).map(({ channel_id }) => channel_id);
  const noteTracked = (channelIds: readonly string[]) => setJustTracked((ids) => [...ids, ...channelIds]);
  return {
    rows,
    untracked,
    selected: untracked.filter((id) => chosen.includes(id)),
    select: (channelIds: readonly string[], isSelected: boolean) =>
      setChosen((ids) => {
        const others = ids.filter((id) => !channelIds.includes(id));
        return isSelected ? [...others, ...channelIds] : others;
      }),
    refused,
    onTracked: (channelId: string) => noteTracked([channelId]),
    trackMany,
    track: (channel_ids: string[]) => {
      noteTracked(channel_ids);
      trackMany.mutate({ channel_ids });
    },
  };
}
