import type { TrackedRow } from "@/features/creators/table.schema";
import { toCreatorCells, toCsv } from "../../_ui/csv";

const COLUMNS = [
  ..."channel_id name handle url country status subscribers views videos growth_day".split(" "),
  ..."growth_1d_percent growth_7d_percent score score_basis alert_level tracked_since last_snapshot_at".split(
    " ",
  ),
];

/** Tracked creators as CSV, in the order given; what is unknown is empty. */
export function toOverviewCsv(creators: readonly TrackedRow[]): string {
  return toCsv(
    creators.map((creator) => ({ ...creator, ...toCreatorCells(creator) })),
    COLUMNS,
  );
}
