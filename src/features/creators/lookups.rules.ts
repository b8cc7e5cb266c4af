/** Why a channel is not looked up, and what to do. */
export function formatLookupsSpent(limit: number): string {
  const count = limit.toLocaleString("en");
  return `This key has used its ${count} look-ups today. They reset at midnight UTC. Channel ids need none.`;
}
