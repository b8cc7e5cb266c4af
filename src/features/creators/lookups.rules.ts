import { formatCount } from "@/core/format";
/** Why a channel is not looked up, and what to do. */
export function formatLookupsSpent(limit: number): string {
  const count = formatCount(limit);
  return `This key has used its ${count} look-ups today. They reset at midnight UTC. Channel ids need none.`;
}
