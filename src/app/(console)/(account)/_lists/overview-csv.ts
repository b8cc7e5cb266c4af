import { systemClock, toUtcDay } from "@/core/time";
import type { TrackedQuery, TrackedRow, TrackedTable } from "@/features/creators/table.schema";
import { saveCsv } from "../../_ui/csv";
import { toOverviewCsv } from "./overview-csv-rows";

/** The most rows that one page of the table may have. */
const PAGE_SIZE = 100;

/** Saves creators of the table as a file. */
export async function saveTable(creators: readonly TrackedRow[]): Promise<void> {
  saveCsv(toOverviewCsv(creators), `tracked-creators-${toUtcDay(systemClock.now())}.csv`);
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
