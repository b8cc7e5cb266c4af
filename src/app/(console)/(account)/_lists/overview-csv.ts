import { systemClock, toUtcDay } from "@/core/time";
import type { TrackedQuery } from "@/features/creators/console.schema";
import type { TrackedRow, TrackedTable } from "@/features/creators/table.service";
import { saveCsv, toCreatorCells, toCsv } from "../../_ui/csv";

/** The most rows that one page of the table may have. */
const PAGE_SIZE = 100;

const COLUMNS = [
  "channel_id",
  "name",
  "handle",
  "url",
  "country",
  "status",
  "subscribers",
  "views",
  "videos",
  "growth_day",
  "growth_1d_percent",
  "growth_7d_percent",
  "score",
  "score_basis",
  "alert_level",
  "tracked_since",
  "last_snapshot_at",
];

/** Saves creators of the table as a file. What is unknown is empty. */
export async function saveTable(creators: readonly TrackedRow[]): Promise<void> {
  const rows = creators.map((creator) => ({ ...creator, ...toCreatorCells(creator) }));
  saveCsv(toCsv(rows, COLUMNS), `tracked-creators-${toUtcDay(systemClock.now())}.csv`);
}

/** Saves all creators that a query finds, in its order. @param ask asks for a page */
export async function saveFound(
  query: TrackedQuery,
  ask: (query: TrackedQuery) => Promise<TrackedTable>,
): Promise<void> {
  const creators: TrackedRow[] = [];
  for (;;) {
    const page = await ask({ ...query, offset: creators.length, limit: PAGE_SIZE });
    creators.push(...page.creators);
    if (!page.pagination.has_more || page.creators.length === 0) return saveTable(creators);
  }
}
