import type { Creator, HistorySnapshot } from "@/features/creators/schema";
import { toCreatorCells, toCsv } from "../../../_ui/csv";

const COLUMNS = ["channel_id", "name", "handle", "url", "day", "subscribers", "views", "videos"];

/** A creator's snapshots as CSV, oldest first; a hidden count is empty. */
export function toSnapshotsCsv(
  creator: Pick<Creator, "channel_id" | "name" | "handle" | "url">,
  snapshots: readonly HistorySnapshot[],
): string {
  const texts = toCreatorCells(creator);
  return toCsv(
    snapshots.map((snapshot) => ({ ...texts, ...snapshot })),
    COLUMNS,
  );
}
