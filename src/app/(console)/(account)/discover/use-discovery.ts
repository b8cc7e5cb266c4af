"use client";

import { keepPreviousData, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ExplainedDiscovery } from "@/features/discovery/schema";
import { trpc } from "../../_client/trpc";
import { asQuery, nicheProblem, type Search } from "./search";

/**
 * Searches a niche. What the key has asked today is shown again for free; only a new niche uses a request.
 * @param onFound called with the search that has an answer
 */
export function useSearch(onFound: (search: Search) => void) {
  const utils = trpc.useUtils();
  return useMutation({
    // One after another, so that a second press finds the answer of the first.
    scope: { id: "search" },
    mutationFn: async (search: Search) => {
      const query = asQuery(search);
      // The client, not the cache: offline, the cache would wait unseen.
      const earlier = await utils.client.discovery.again.query(query);
      return earlier ?? utils.client.discovery.discover.mutate(query);
    },
    onSuccess(answer, search) {
      utils.discovery.again.setData(asQuery(search), answer);
      utils.discovery.allowance.setData(undefined, answer.allowance);
      onFound(search);
    },
    onSettled() {
      void utils.usage.invalidate();
      void utils.keys.firstSteps.invalidate();
    },
  });
}

/** The answer to the search in the URL: null for a niche that was not asked today. Never uses a request. */
export function useFound(search: Search, earlier: ExplainedDiscovery | null) {
  const utils = trpc.useUtils();
  const query = asQuery(search);
  // Put into the cache before the first render reads it.
  useState(
    () => earlier && !utils.discovery.again.getData(query) && utils.discovery.again.setData(query, earlier),
  );
  return trpc.discovery.again.useQuery(query, {
    enabled: nicheProblem(search.niche) === null,
    // Results stay in an open page over midnight.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
