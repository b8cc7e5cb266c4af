import { hashKey, keepPreviousData, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ExplainedDiscovery, NicheCheck } from "@/features/discovery/service";
import { trpc } from "../../_client/trpc";
import { findNicheProblem, type Search, toQuery } from "./search";

/**
 * Searches a niche. Only a niche not searched today uses a request; one that would use a new niche of the key is
 * searched only once it is confirmed.
 * @param onFound called with the search once it has results
 * @param onNew called with a niche that is not known, instead of searching it
 */
export function useSearch(onFound: (search: Search) => void, onNew: (search: Search, check: NicheCheck) => void) {
  const utils = trpc.useUtils();
  return useMutation({
    // One after another, so that a second press finds the answer of the first.
    scope: { id: "search" },
    mutationFn: async ({ search, isConfirmed }: { search: Search; isConfirmed: boolean }) => {
      const query = toQuery(search);
      // The client, not the cache: offline, the cache would wait unseen.
      const { again, check, discover } = utils.client.discovery;
      const [earlier, checked] = await Promise.all([again.query(query), check.query(query)]);
      if (earlier) return earlier;
      return checked.is_new && !isConfirmed ? checked : discover.mutate(query);
    },
    onSuccess(answer, { search }) {
      if ("is_new" in answer) return onNew(search, answer);
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
