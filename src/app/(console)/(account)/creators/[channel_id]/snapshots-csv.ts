import type { HistorySnapshot } from "@/features/creators/schema";
import { type NamedCreator, saveCsv, toCreatorCells, toCsv } from "../../../_ui/csv";

const COLUMNS = ["channel_id", "name", "handle", "url", "day", "subscribers", "views", "videos"];

/** Saves all snapshots of a creator, not only the charted ones. */
export function saveSnapshots(creator: NamedCreator, snapshots: readonly HistorySnapshot[]): void {
  saveCsv(toSnapshotsCsv(creator, snapshots), `snapshots-${creator.channel_id}.csv`);
}

/** A creator's snapshots as CSV, oldest first; a hidden count is empty. */
export function toSnapshotsCsv(creator: NamedCreator, snapshots: readonly HistorySnapshot[]): string {
  const texts = toCreatorCells(creator);
  const rows = snapshots.map((snapshot) => ({ ...texts, ...snapshot }));
  return toCsv(rows, COLUMNS);
}
