import type { Creator, HistoryReading } from "@/features/creators/schema";
import { creatorCells, csvOf } from "../../../_ui/csv";

const COLUMNS = ["channel_id", "name", "handle", "url", "day", "subscribers", "views", "videos"];

/** The readings of a creator as CSV, oldest first; a hidden count is empty. */
export function readingsCsv(
  creator: Pick<Creator, "channel_id" | "name" | "handle" | "url">,
  readings: readonly HistoryReading[],
): string {
  const texts = creatorCells(creator);
  return csvOf(
    readings.map((reading) => ({ ...texts, ...reading })),
    COLUMNS,
  );
}
