import { systemClock, toUtcDay } from "@/core/time";
import type { FoundCreator } from "@/features/discovery/service";
import { saveCsv, toCreatorCells, toCsv } from "../../_ui/csv";

const COLUMNS = [
  "channel_id",
  "name",
  "handle",
  "url",
  "country",
  "subscribers",
  "growth_7d_percent",
  "growth_7d_low",
  "growth_7d_high",
  "score",
  "score_basis",
  "alert_level",
  "is_tracked",
];

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
  return toCsv(rows, COLUMNS);
}
