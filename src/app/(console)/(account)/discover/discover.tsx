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

/**
 * Searches niches. The address tells what was searched for, and what was found is kept for a while; but only the
 * reader spends a request: coming back, loading anew or opening a link never searches by itself.
 */
export function Discover({ niches, appUrl }: { niches: string[]; appUrl: string }) {
  const [asked, change] = useUrlState(EMPTY_SEARCH);
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
          kept="What you typed and found stays."
        />
      )}
      <Text component="div" role="status" c="dimmed" size="sm" mb="sm">
        {search.isPending && `Searching ${typed.niche.trim()}…`}
        {!search.isPending && !search.error && asked.niche !== "" && !found.isOfAddress && (
          <>
            {asked.niche} is not searched yet. Press Search to do so; it counts 1 request.
            {found.answer && " Below is what you found before."}
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
      text="Search one: its creators come ranked by how likely they are to grow next. Track those you want to hear of."
      command={`curl -H "X-API-Key: <API_KEY>" \\\n  "${appUrl}/api/discover?niche=gaming"`}
    />
  );
}

/** Searches, and keeps what was found. */
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

/** What was found by the search of the address, or else by the one before. */
function useFound(asked: Search) {
  const { data: answer, isPlaceholderData } = useQuery<ExplainedDiscovery>({
    queryKey: [DISCOVERED, asQuery(asked)],
    queryFn: skipToken,
    // On the server it would be a timer for each page, which holds all that the page was made of.
    gcTime: isServer ? Number.POSITIVE_INFINITY : HOUR,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return { answer, isOfAddress: answer !== undefined && !isPlaceholderData };
}
