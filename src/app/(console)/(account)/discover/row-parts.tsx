"use client";

import { Checkbox } from "@mantine/core";
import { formatDay } from "@/core/format";
import type { FoundCreator } from "@/features/discovery/schema";
import { getDisplayName } from "../../_ui/names";
import { Sparkline } from "../../_ui/sparkline";
import type { RowActions } from "./use-rows";

export interface RowProps {
  creator: FoundCreator;
  actions: RowActions;
}

/** Selects a creator that is not tracked yet. */
export function SelectCreator({ creator, actions, size }: RowProps & { size?: "xs" }) {
  const { channel_id, is_tracked } = creator;
  if (is_tracked) return null;
  return (
    <Checkbox
      size={size}
      aria-label={`Select ${getDisplayName(creator)}`}
      checked={actions.isSelected(channel_id)}
      onChange={({ currentTarget: { checked } }) => actions.select([channel_id], checked)}
    />
  );
}

/** The line of the last 30 days, or since when growth is measured. */
export function Trend({ creator, className }: { creator: FoundCreator; className: string | undefined }) {
  const { score_basis, trend, counts, growth_day } = creator;
  if (score_basis === "history") return <Sparkline counts={trend} />;
  const since = growth_day ? `first snapshot ${formatDay(growth_day)}` : "from tomorrow";
  return <span className={className}>{counts === "hidden" ? "not measurable" : since}</span>;
}
