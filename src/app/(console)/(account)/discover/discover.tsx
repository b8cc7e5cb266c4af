"use client";

import { Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { isServer, keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { HOUR } from "@/core/time";
import type { ExplainedDiscovery } from "@/features/discovery/schema";
import { DISCOVERED } from "../../_client/discovered";
import { failureOf } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { EmptyState } from "../../_ui/empty-state";
import { CountedFailure } from "./counted-failure";
import { Results } from "./results";
import { asQuery, EMPTY_SEARCH, problemFields, type Search, searchProblems } from "./search";
import { SearchForm } from "./search-form";

interface DiscoverProps {
  niches: string[];
  appUrl: string;
  /** Today's answer to the search in the URL. */
  earlier: ExplainedDiscovery | null;
}

/**
 * Searches niches. The URL holds the search and results are cached. Only pressing Search uses a request; going back,
 * reloading or opening a link does not.
 */
export function Discover({ niches, appUrl, earlier }: DiscoverProps) {
  const [asked, change] = useUrlState(EMPTY_SEARCH);
  useEarlier(asked, earlier);
  const [typed, setTyped] = useState(asked);
  useWindowEvent("popstate", () => {
    const address = Object.fromEntries(new URLSearchParams(location.search));
    setTyped({ ...EMPTY_SEARCH, ...address });
  });
  const search = useSearch();
  const found = useFound(asked);
  const [problems, setProblems] = useState<ReturnType<typeof searchProblems>>({});
  const run = (wanted: Search) => {
    const wrong = searchProblems(wanted);
    setTyped(wanted);
    setProblems(wrong);
    if (Object.keys(wrong).length > 0) return;
    change(wanted);
    search.mutate(asQuery(wanted));
  };
  const refused = search.error ? problemFields(failureOf(search.error).issues) : {};
  const hasFieldError = Object.keys(refused).length > 0;
  return (
    <>
      <SearchForm
        niches={niches}
        typed={typed}
        problems={{ ...refused, ...problems }}
        isBusy={search.isPending}
        onType={(typing) => setTyped({ ...typed, ...typing })}
        onSearch={(choice) => run({ ...typed, ...choice })}
      />
      {search.error && !hasFieldError && (
        <CountedFailure
          error={search.error}
          retry={() => run(typed)}
          kept="Your search and results are kept."
        />
      )}
      <Text component="div" role="status" c="dimmed" size="sm" mb="sm">
        {search.isPending && `Searching ${typed.niche.trim()}…`}
        {!search.isPending && !search.error && asked.niche !== "" && !found.isOfAddress && (
          <>
            Search “{asked.niche}” to see its creators (1 request).{" "}
            {found.answer && " Your previous results are below."}
          </>
        )}
      </Text>
      {found.answer && <Results {...found.answer} appUrl={appUrl} />}
      {!found.answer && asked.niche === "" && <NothingAsked appUrl={appUrl} />}
    </>
  );
}

function NothingAsked({ appUrl }: { appUrl: string }) {
  return (
    <EmptyState
      order={2}
      title="Who is rising in a niche?"
      text="Search a niche to see its creators, ranked by how likely they are to grow next. Track the ones you want alerts for."
      command={`curl -H "X-API-Key: <API_KEY>" \\\n  "${appUrl}/api/discover?niche=gaming"`}
    />
  );
}

/** Searches and caches the results. */
function useSearch() {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return trpc.discovery.discover.useMutation({
    onSuccess: (answer, query) => queryClient.setQueryData([DISCOVERED, query], answer),
    onSettled: () => {
      void utils.usage.invalidate();
      void utils.keys.firstSteps.invalidate();
    },
  });
}

/** Puts the answer that came with the page into the cache, before the first render reads it. */
function useEarlier(asked: Search, earlier: ExplainedDiscovery | null) {
  const queryClient = useQueryClient();
  useState(() => {
    const queryKey = [DISCOVERED, asQuery(asked)];
    if (earlier && !queryClient.getQueryData(queryKey)) queryClient.setQueryData(queryKey, earlier);
  });
}

/** Results for the search in the URL, else the previous ones. */
function useFound(asked: Search) {
  const { data: answer, isPlaceholderData } = useQuery<ExplainedDiscovery>({
    queryKey: [DISCOVERED, asQuery(asked)],
    queryFn: skipToken,
    // On the server a timer would keep each rendered page in memory.
    gcTime: isServer ? Number.POSITIVE_INFINITY : HOUR,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return { answer, isOfAddress: answer !== undefined && !isPlaceholderData };
}
