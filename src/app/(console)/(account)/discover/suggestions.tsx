"use client";

import { Group, Skeleton } from "@mantine/core";
import { trpc } from "../../_client/trpc";
import { QueryState } from "../../_ui/query-state";

/** Niches worth a search. */
export function Suggestions() {
  const suggestions = trpc.discovery.suggestions.useQuery();
  return (
    <QueryState query={suggestions} skeleton={<Skeleton height={24} />}>
      {({ niches }) => (
        <Group gap="md">
          {niches.map((niche) => (
            <span key={niche}>{niche}</span>
          ))}
        </Group>
      )}
    </QueryState>
  );
}
