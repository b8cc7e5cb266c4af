"use client";

import { Button, Skeleton, Text, Title } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useState } from "react";
import { formatCurl } from "@/app/curl";
import { formatQuantity } from "@/core/format";
import type { ExplainedDiscovery } from "@/features/discovery/service";
import { CodeExample } from "@/ui/code-block";
import { getFieldError } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { EmptyState } from "../../_ui/empty-state";
import { FailureNotice, QueryState, SkeletonRows } from "../../_ui/query-state";
import { AddBox } from "../_add/add-box";
import { CountedFailure } from "../_tracking/counted-failure";
import mapStyles from "./niche-map.module.css";
import { CostNotes, NoCreators, type UnknownNiche, UnknownNotice } from "./notices";
import { type Change, DEFAULTS, findNicheProblem, isFiltered, type Search } from "./search";
import { useFound, useSearch } from "./use-discovery";

/** Loaded with the first results. */
const Results = dynamic(() => import("./results").then(({ Results }) => Results), {
  loading: ResultsSkeleton,
});

/**
 * Searches niches. The URL holds the niche and the view. Only a search for a niche not searched today uses a request;
 * sorting, filtering, going back, reloading or opening a link does not.
 * @param earlier today's answer to the search in the URL
 */
export function Discover({ appUrl, earlier }: { appUrl: string; earlier: ExplainedDiscovery | null }) {
  const [search, change] = useUrlState(DEFAULTS);
  const [typed, setTyped] = useState(search.niche);
  const [problem, setProblem] = useState<string | null>(null);
  const [unknown, setUnknown] = useState<UnknownNiche | null>(null);
  /** The niche that is searched, until the URL holds it. */
  const [awaited, setAwaited] = useState<string | null>(null);
  useWindowEvent("popstate", () => {
    setTyped(new URLSearchParams(location.search).get("niche") ?? "");
    setAwaited(null);
    setUnknown(null);
  });
  const searching = useSearch(change, ({ niche }, { suggested_niche }) => {
    setAwaited(null);
    setUnknown({ niche, suggested: suggested_niche });
  });
  if (awaited === search.niche && !searching.isPending) setAwaited(null);
  const found = useFound(search, earlier);
  const run = (niche: string, isConfirmed = false) => {
    const wrong = findNicheProblem(niche);
    setTyped(niche);
    setProblem(wrong);
    setUnknown(null);
    if (wrong) return;
    const wanted = { ...search, niche: niche.trim(), page: "1" };
    setAwaited(wanted.niche);
    searching.mutate({ search: wanted, isConfirmed }, { onError: () => setAwaited(null) });
  };
  const isBusy = awaited !== null;
  const refused = getFieldError(searching.error, "niche") ?? null;
  const isAsked = findNicheProblem(search.niche) === null;
  return (
    <>
      <AddBox
        text={typed}
        hint={<NicheHint typed={typed} shown={found.data?.niche} />}
        problem={problem ?? refused}
        isBusy={isBusy}
        onType={setTyped}
        onNiche={run}
      />
      <CostNotes />
      {searching.error && !refused && (
        <CountedFailure
          error={searching.error}
          retry={() => run(typed)}
          isRetryCounted
          kept="Your search and results are kept."
        />
      )}
      <div role="status">
        {isBusy && <span className="visually-hidden">Searching {awaited}…</span>}
        {unknown && <UnknownNotice {...unknown} onSearch={run} />}
      </div>
      {!isAsked && !isBusy && (
        <Title order={2} size="h5" mb="xs">
          Who is rising in a niche?
        </Title>
      )}
      <NicheMap current={search.niche} isFolded={isAsked || isBusy} isBusy={isBusy} onSearch={run} />
      {isAsked ? (
        <Found found={found} search={search} isSearching={isBusy} change={change} onSearch={run} />
      ) : isBusy ? (
        <ResultsSkeleton />
      ) : (
        <CodeExample command={formatCurl(`${appUrl}/api/discover?niche=gaming`)} />
      )}
    </>
  );
}

/** What a search of the typed niche would use. */
function NicheHint({ typed, shown }: { typed: string; shown: string | undefined }) {
  const { data } = trpc.discovery.map.useQuery();
  const niche = typed.trim().toLowerCase();
  if (niche !== "" && niche === shown) return "searched today, free";
  return data?.groups.some(({ niches }) => niches.some((known) => known.niche === niche))
    ? "known niche, 1 request"
    : null;
}

interface FoundProps {
  found: ReturnType<typeof useFound>;
  search: Search;
  isSearching: boolean;
  change: Change;
  onSearch: (niche: string) => void;
}

function Found({ found, search, isSearching, change, onSearch }: FoundProps) {
  if (found.error) return <FailureNotice error={found.error} retry={() => found.refetch()} />;
  if (found.data === undefined || (found.data === null && isSearching)) return <ResultsSkeleton />;
  if (found.data === null)
    return (
      <EmptyState title={`You have not searched “${search.niche}” today`} text="Search it to see its creators.">
        <Button loading={isSearching} onClick={() => onSearch(search.niche)}>
          Search “{search.niche}” (1 request)
        </Button>
      </EmptyState>
    );
  const { niche, niche_status, pagination } = found.data;
  if (pagination.total === 0 && (niche_status === "queued" || !isFiltered(search)))
    return <NoCreators answer={found.data} typed={search.niche} onSearch={onSearch} />;
  return (
    <Results
      key={niche}
      answer={found.data}
      search={search}
      isBusy={isSearching || found.isPlaceholderData}
      change={change}
      onSearch={onSearch}
    />
  );
}

function ResultsSkeleton() {
  return <SkeletonRows count={8} height={56} mih={480} />;
}

interface NicheMapProps {
  current: string;
  /** Whether phones show only the group of the current niche at first. */
  isFolded: boolean;
  isBusy: boolean;
  onSearch: (niche: string) => void;
}

/** The known niches in groups, with how many creators each has and how many of them rise. A press searches one. */
function NicheMap({ current, isFolded, isBusy, onSearch }: NicheMapProps) {
  const map = trpc.discovery.map.useQuery();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <QueryState query={map} skeleton={<Skeleton height={280} radius="md" />}>
      {({ groups }) =>
        groups.length === 0 ? (
          <Text size="sm" c="dimmed" mb="lg">
            Known niches will be listed here. Any topic can be searched.
          </Text>
        ) : (
          <div className={mapStyles.map} data-folded={(isFolded && !isOpen) || undefined}>
            <dl className={mapStyles.groups} aria-label="Known niches">
              {groups.map(({ name, niches }) => (
                <div
                  key={name}
                  className={mapStyles.group}
                  data-current={niches.some(({ niche }) => niche === current) || undefined}
                >
                  <dt>{name}</dt>
                  <dd className={mapStyles.niches}>
                    {niches.map(({ niche, creators, rising }) => (
                      <Button
                        key={niche}
                        variant="default"
                        size="compact-sm"
                        radius="xl"
                        className={mapStyles.niche}
                        aria-current={niche === current || undefined}
                        disabled={isBusy}
                        title={formatQuantity(creators, "creator")}
                        onClick={() => onSearch(niche)}
                      >
                        {niche}
                        <span className={mapStyles.creators}>
                          {creators}
                          <span className="visually-hidden"> creators</span>
                        </span>
                        {rising > 0 && (
                          <span className={mapStyles.rising}>
                            ▲{rising}
                            <span className="visually-hidden"> rising</span>
                          </span>
                        )}
                      </Button>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
            {isFolded && (
              <Button variant="subtle" size="compact-sm" className={mapStyles.fold} onClick={() => setIsOpen(!isOpen)}>
                {isOpen ? "Fewer niches" : "All niches"}
              </Button>
            )}
          </div>
        )
      }
    </QueryState>
  );
}
