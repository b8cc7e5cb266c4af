import { formatCount, formatQuantity } from "@/core/format";
import type { ItemCode } from "./schema";

/** Why a channel is not looked up, and what to do. */
export function formatLookupsSpent(limit: number): string {
  const count = formatCount(limit);
  return `This key has used its ${count} look-ups today. They reset at midnight UTC. Channel ids need none.`;
}

/** What became of a list, in one sentence. @param codes why channels are not tracked */
export function formatTracking(added: number, existing: number, codes: readonly ItemCode[]): string {
  const count = (code: ItemCode) => codes.filter((each) => each === code).length;
  const parts: [number, string][] = [
    [added, "new"],
    [existing, "already tracked"],
    [count("not_found"), "not found"],
    [count("guess"), count("guess") === 1 ? "guess to confirm" : "guesses to confirm"],
    [count("not_a_channel"), count("not_a_channel") === 1 ? "not a channel" : "not channels"],
    [count("lookups_used_up"), "without a look-up left"],
    [count("unavailable"), "to try again"],
  ];
  const named = parts.flatMap(([number, text]) => (number > 0 ? [`${formatCount(number)} ${text}`] : []));
  return `Now tracking ${formatQuantity(added + existing, "creator")}: ${named.join(", ")}`;
}
