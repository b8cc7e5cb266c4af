import { Button, Group, Text, Title } from "@mantine/core";
import { formatCount, formatQuantity } from "@/core/format";
import type { ExplainedDiscovery, FoundCreator } from "@/features/discovery/service";
import { RISING_PERCENTILE } from "@/features/growth/wording.rules";
import { trpc } from "../../_client/trpc";
import { EmptyState } from "../../_ui/empty-state";
import { Pager } from "../../_ui/pager";
import { SaveButton } from "../../_ui/save-button";
import { Distance } from "../../_ui/times";
import { AddToList } from "../_lists/add-to-list";
import { SelectBar } from "../_lists/select-bar";
import { CountedFailure } from "../_tracking/counted-failure";
import { Filters } from "./filters";
import { Notice } from "./notices";
import { ResultTable } from "./result-table";
import styles from "./results.module.css";
import { type Change, getSort, type Search } from "./search";
import { type RowActions, useRows } from "./use-rows";

interface ResultsProps {
  answer: ExplainedDiscovery;
  search: Search;
  /** True while newer results load. */
  isBusy: boolean;
  change: Change;
  onSearch: (niche: string) => void;
}

/** The creators of an answer, and what can be done with them. */
export function Results({ answer, search, isBusy, change, onSearch }: ResultsProps) {
  const { pagination, creators } = answer;
  const wanted = search.top ? creators.filter(isRisingForSize) : creators;
  const actions = { ...useRows(wanted, search.untracked !== ""), isBusy };
  const { rows } = actions;
  return (
    <section aria-labelledby="found" aria-busy={isBusy} className={styles.results}>
      <div className={styles.head}>
        <Heading answer={answer} shown={rows.length} search={search} />
        <Filters search={search} change={change} countries={creators.flatMap(({ country }) => country ?? [])} />
      </div>
      <Notice answer={answer} onSearch={onSearch} />
      <TrackOutcome {...actions} />
      {rows.length === 0 ? (
        <EmptyState title="No creators match" text="Remove a filter, or go back to the first page." />
      ) : (
        <div className={styles.table}>
          <ResultTable sort={getSort(search)} onSort={(sort) => change({ sort, page: "1" })} actions={actions} />
        </div>
      )}
      <SelectionBar {...actions} />
      <Group justify="space-between" align="start" mt="sm" gap="sm">
        <Text size="xs" c="dimmed" maw="44rem">
          YouTube rounds counts down to three digits. The small line is the true range, grey where it includes zero.
          Growth, score and level are calculated by us.
        </Text>
        <Pager {...pagination} onPage={(page) => change({ page: String(page) })} />
        <SaveButton
          content="the shown creators"
          disabled={isBusy || rows.length === 0}
          save={async () => (await import("./results-csv")).saveResults(getShownNiche(answer), rows)}
        />
      </Group>
    </section>
  );
}

/** @param shown the number of shown creators */
function Heading({ answer, shown, search }: Pick<ResultsProps, "answer" | "search"> & { shown: number }) {
  return (
    <Group gap="0 0.75rem" align="baseline">
      <Title order={2} size="h4" id="found" dir="auto">
        {getShownNiche(answer)}
      </Title>
      <Text size="sm" c="dimmed" role="status">
        {formatCounts(shown, answer, search)}
        {answer.as_of && (
          <>
            {" "}
            Updated <Distance at={answer.as_of} />.
          </>
        )}
      </Text>
    </Group>
  );
}

/** The niche whose creators are shown. */
function getShownNiche({ niche, related_niche }: ExplainedDiscovery): string {
  return related_niche ?? niche;
}

function isRisingForSize({ percentile }: FoundCreator): boolean {
  return percentile !== null && percentile >= RISING_PERCENTILE;
}

function formatCounts(shown: number, { creators, pagination }: ExplainedDiscovery, { untracked, top }: Search): string {
  const { total } = pagination;
  const all = formatQuantity(total, "creator");
  if ((untracked || top) && shown < total) return `${formatCount(shown)} of ${all}.`;
  const rising = creators.filter((creator) => creator.score_basis === "history" && creator.alert_level !== "STABLE");
  return creators.length < total ? `${all}.` : `${all}, ${formatCount(rising.length)} rising.`;
}

/** The bar that floats while creators are selected, with what the actions cost. */
function SelectionBar({ selected, clear, track, trackMany, isBusy }: RowActions) {
  const { data: usage } = trpc.usage.today.useQuery();
  if (selected.length === 0) return null;
  const left = usage && Math.max(0, usage.requests_limit - usage.requests_today);
  const cost = left === undefined ? "1 request" : `1 of ${formatQuantity(left, "request")}`;
  return (
    <SelectBar selected={selected.length} cost={cost} isBusy={isBusy}>
      <AddToList getIds={() => track(selected)} onAdded={clear} />
      <Button size="xs" variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
      <Button size="xs" loading={trackMany.isPending} onClick={() => track(selected)}>
        Track {formatCount(selected.length)}
      </Button>
    </SelectBar>
  );
}

/** The result of tracking several. Failed rows show why and stay selected. */
function TrackOutcome({ trackMany }: RowActions) {
  const { data, error, variables } = trackMany;
  const tracked = data?.results.filter((result) => "creator" in result).length ?? 0;
  const failed = (data?.results.length ?? 0) - tracked;
  return (
    <>
      <Text component="div" size="sm" role="status" className={styles.outcome}>
        {data && `Now tracking ${formatQuantity(tracked, "more creator")}.`}
        {failed > 0 && ` ${formatQuantity(failed, "creator")} could not be tracked: see the rows.`}
      </Text>
      {error && variables && (
        <CountedFailure
          error={error}
          retry={() => trackMany.mutate(variables)}
          isRetryCounted
          kept="Your selection is kept."
        />
      )}
    </>
  );
}
