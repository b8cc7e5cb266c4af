"use client";

import { hashKey, keepPreviousData, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ExplainedDiscovery } from "@/features/discovery/schema";
import { trpc } from "../../_client/trpc";
import { findNicheProblem, type Search, toQuery } from "./search";

/**
 * Searches a niche. Only a niche not searched today uses a request.
 * @param onFound called with the search once it has results
 */
export function useSearch(onFound: (search: Search) => void) {
  const utils = trpc.useUtils();
  return useMutation({
    // One after another, so that a second press finds the answer of the first.
    scope: { id: "search" },
    mutationFn: async (search: Search) => {
      const query = toQuery(search);
      // The client, not the cache: offline, the cache would wait unseen.
      const earlier = await utils.client.discovery.again.query(query);
      return earlier ?? utils.client.discovery.discover.mutate(query);
    },
    onSuccess(answer, search) {
      utils.discovery.again.setData(toQuery(search), answer);
      utils.discovery.allowance.setData(undefined, answer.allowance);
      onFound(search);
    },
    onSettled() {
      void utils.usage.invalidate();
      void utils.keys.firstSteps.invalidate();
    },
  });
}

/**
 * The results for the search in the URL; null if not searched today. Never uses a request.
 * @param earlier today's answer to the search that the page opened with
 */
export function useFound(search: Search, earlier: ExplainedDiscovery | null) {
  const query = toQuery(search);
  const [first] = useState({ query, answer: earlier });
  return trpc.discovery.again.useQuery(query, {
    enabled: findNicheProblem(search.niche) === null,
    initialData: () => (hashKey([query]) === hashKey([first.query]) ? (first.answer ?? undefined) : undefined),
    // Results stay in an open page over midnight.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
