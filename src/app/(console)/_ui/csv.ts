import { formatCsv, toPlainCell } from "@/core/http/csv";
import { systemClock, toUtcDay } from "@/core/time";
import type { TrackedQuery } from "@/features/creators/query.schema";
import type { Creator, HistorySnapshot } from "@/features/creators/schema";
import type { TrackedRow, TrackedTable } from "@/features/creators/table.service";
import type { FoundCreator } from "@/features/discovery/service";
import { saveFile } from "./save-button";

export type NamedCreator = Pick<Creator, "channel_id" | "name" | "handle" | "url">;

const NAMES = ["channel_id", "name", "handle", "url"];
const COUNTS = ["subscribers", "views", "videos"];
const GROWTH = ["growth_day", "growth_1d_percent", "growth_7d_percent"];
const WEEK = ["growth_7d_percent", "growth_7d_low", "growth_7d_high"];
const SCORE = ["score", "score_basis", "alert_level"];
const COLUMNS = {
  snapshots: [...NAMES, "day", ...COUNTS],
  results: [...NAMES, "country", "subscribers", ...WEEK, ...SCORE, "is_tracked"],
  tracked: [...NAMES, "country", "status", ...COUNTS, ...GROWTH, ...SCORE, "tracked_since", "last_snapshot_at"],
};

/** Rows as CSV for a spreadsheet. */
export function toCsv(rows: readonly object[], columns: readonly string[]): string {
  return formatCsv(rows, columns, { bom: true });
}

/** A creator's texts as cells. The handle has no @, which a spreadsheet takes for a formula. */
export function toCreatorCells({ channel_id, name, handle, url }: NamedCreator) {
  return { channel_id, name: toPlainCell(name), handle: toPlainCell(handle?.replace(/^@/, "") ?? null), url };
}

/** Saves a text as a file from the browser. */
export function saveCsv(text: string, fileName: string): void {
  saveFile(new Blob([text], { type: "text/csv;charset=utf-8" }), fileName);
}

/** Saves all snapshots of a creator, not only the charted ones. */
export function saveSnapshots(creator: NamedCreator, snapshots: readonly HistorySnapshot[]): void {
  saveCsv(toSnapshotsCsv(creator, snapshots), `snapshots-${creator.channel_id}.csv`);
}

/** A creator's snapshots as CSV, oldest first; a hidden count is empty. */
export function toSnapshotsCsv(creator: NamedCreator, snapshots: readonly HistorySnapshot[]): string {
  const texts = toCreatorCells(creator);
  const rows = snapshots.map((snapshot) => ({ ...texts, ...snapshot }));
  return toCsv(rows, COLUMNS.snapshots);
}

/** Saves found creators, in the order shown. */
export function saveResults(niche: string, creators: readonly FoundCreator[]): void {
  const name = niche.replace(/[^\p{L}\p{N}]+/gu, "-");
  saveCsv(toResultsCsv(creators), `creators-${name}-${toUtcDay(systemClock.now())}.csv`);
}

/** Found creators as CSV, in the order shown; what is unknown is empty. */
export function toResultsCsv(creators: readonly FoundCreator[]): string {
  const rows = creators.map((creator) => {
    const week = creator.growth_7d_percent === null ? undefined : creator.growth.find(({ days }) => days === 7);
    return {
      ...creator,
      ...toCreatorCells(creator),
      growth_7d_low: week?.low,
      growth_7d_high: week?.high,
      is_tracked: String(creator.is_tracked),
    };
  });
  return toCsv(rows, COLUMNS.results);
}

const PAGE_SIZE = 100;

/** Saves creators of the table as a file. What is unknown is empty. */
export async function saveTable(creators: readonly TrackedRow[]): Promise<void> {
  const rows = creators.map((creator) => ({ ...creator, ...toCreatorCells(creator) }));
  saveCsv(toCsv(rows, COLUMNS.tracked), `tracked-creators-${toUtcDay(systemClock.now())}.csv`);
}

/** Saves all creators that a query finds, in its order. @param ask asks for a page */
export async function saveFound(query: TrackedQuery, ask: (query: TrackedQuery) => Promise<TrackedTable>) {
  const creators: TrackedRow[] = [];
  for (;;) {
    const page = await ask({ ...query, offset: creators.length, limit: PAGE_SIZE });
    creators.push(...page.creators);
    if (!page.pagination.has_more || page.creators.length === 0) return saveTable(creators);
  }
}
