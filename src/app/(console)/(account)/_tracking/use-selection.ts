"use client";

import { useState } from "react";

/** Rows of creators, and which of them are selected. Those on other pages or behind a filter do not count. */
export interface Selection<Row> {
  /** Of all rows. */
  ids: readonly string[];
  selected: Row[];
  isSelected: (channelId: string) => boolean;
  select: (channelIds: readonly string[], isSelected: boolean) => void;
  clear: () => void;
}

export function useSelection<Row extends { channel_id: string }>(rows: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<readonly string[]>([]);
  return {
    ids: rows.map(({ channel_id }) => channel_id),
    selected: rows.filter(({ channel_id }) => ids.includes(channel_id)),
    isSelected: (channelId) => ids.includes(channelId),
    select: (channelIds, isSelected) =>
      setIds((before) => {
        const others = before.filter((id) => !channelIds.includes(id));
        return isSelected ? [...others, ...channelIds] : others;
      }),
    clear: () => setIds([]),
  };
}
