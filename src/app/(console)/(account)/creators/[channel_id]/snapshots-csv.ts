import { toCreatorCells, toCsv } from "@/app/(console)/_ui/csv";
import type { Creator, HistorySnapshot } from "@/features/creators/schema";

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
