import { startOfDay } from "@/core/time";
import type { FoundCreator } from "@/features/discovery/schema";
import { formatDay } from "@/ui/format";

export const FRESH_TITLE = "New here, measured from tomorrow";
export const FRESH_NOTE = "Growth needs snapshots of two days. Until then the score is an estimate.";

/** Creators with measured growth, and those that are new, each in the order given. */
export function groupsOf(creators: readonly FoundCreator[]) {
  return {
    measured: creators.filter(({ score_basis }) => score_basis === "history"),
    fresh: creators.filter(({ score_basis }) => score_basis === "profile"),
  };
}

/** Since when a new creator is measured. */
export function freshText({ counts, growth_day }: FoundCreator): string {
  if (counts === "hidden") return "hides its subscribers";
  return growth_day ? `first snapshot ${formatDay(startOfDay(growth_day))}` : "from tomorrow";
}
