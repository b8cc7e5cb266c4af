import { useState } from "react";

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
