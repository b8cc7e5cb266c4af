import type { z } from "zod";
import type { NeighborsInput } from "@/features/creators/console.schema";
import { DEFAULTS, toTrackedQuery } from "../../overview/tracked-query";

/** The query for a creator's neighbors in the overview. @param via the search of the overview's URL */
export function toNeighborsQuery(channelId: string, via: string): z.output<typeof NeighborsInput> {
  const given = new URLSearchParams(via);
  const named = Object.entries(DEFAULTS).map(([name, usual]) => [name, given.get(name) ?? usual]);
  const { offset, limit, ...filter } = toTrackedQuery(Object.fromEntries(named) as typeof DEFAULTS);
  return { ...filter, channel_id: channelId };
}
