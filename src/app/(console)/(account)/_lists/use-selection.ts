"use client";

import { useState } from "react";
import type { TrackedRow } from "@/features/creators/table.schema";

export type Selection = ReturnType<typeof useSelection>;

/** Which of the shown creators are selected. Those on other pages or behind a filter do not count. */
export function useSelection(rows: readonly TrackedRow[]) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const selected = rows.filter(({ channel_id }) => chosen.includes(channel_id));
  return {
    selected,
    isSelected: (channelId: string) => chosen.includes(channelId),
    select: (channelIds: readonly string[], isSelected: boolean) =>
      setChosen((ids) => {
        const others = ids.filter((id) => !channelIds.includes(id));
        return isSelected ? [...others, ...channelIds] : others;
      }),
    clear: () => setChosen([]),
  };
}
