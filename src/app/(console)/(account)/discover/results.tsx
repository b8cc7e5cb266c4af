import { Button, Group, Text, Title } from "@mantine/core";
import { useState } from "react";
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
import { useSelection } from "../_tracking/use-selection";
import { useTrackMany } from "../_tracking/use-tracking";
import { Filters } from "./filters";
import { Notice } from "./notices";
import { ResultTable } from "./result-table";
import styles from "./results.module.css";
import { type Change, getSort, type Search } from "./search";

interface ResultsProps {
  answer: ExplainedDiscovery;
  search: Search;
  isBusy: boolean;
  change: Change;
  onSearch: (niche: string) => void;
}

/** The creators of an answer, and what can be done with them. */
export function Results({ answer, search, isBusy, change, onSearch }: ResultsProps) {
  const { pagination, creators } = answer;
  const wanted = creators.filter(({ percentile }) => !search.top || (percentile ?? 0) >= RISING_PERCENTILE);
  const actions = { ...useRows(wanted, search.untracked !== ""), isBusy };
  const { rows } = actions;
  return (
    <section aria-labelledby="found" aria-busy={isBusy} className={styles.results}>
      <div className={styles.head}>
        <Group gap="0 0.75rem" align="baseline">
          <Title order={2} size="h4" id="found" dir="auto">
            {getShownNiche(answer)}
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {formatCounts(rows.length, answer, search)}
            {answer.as_of && (
              <>
                {" "}
                Updated <Distance at={answer.as_of} />.
              </>
            )}
          </Text>
        </Group>
        <Filters search={search} change={change} countries={creators.flatMap(({ country }) => country ?? [])} />
      </div>
      <Notice answer={answer} onSearch={onSearch} />
      <TrackOutcome {...actions} />
      {rows.length === 0 ? (
        <EmptyState order={3} title="No creators match" text="Remove a filter, or go back to the first page." />
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
          save={async () => (await import("../../_ui/csv")).saveResults(getShownNiche(answer), rows)}
        />
      </Group>
    </section>
  );
}

function getShownNiche({ niche, related_niche }: ExplainedDiscovery): string {
  return related_niche ?? niche;
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

export interface RowActions extends ReturnType<typeof useRows> {
  /** Whether the rows are not yet those asked for. */
  isBusy: boolean;
}

/**
 * The shown creators, which of them are selected, and tracking several at once.
 * @param hidesTracked leaves out tracked creators, but keeps those tracked just now, so that no row vanishes at a press
 */
function useRows(creators: readonly FoundCreator[], hidesTracked: boolean) {
  const [justTracked, setJustTracked] = useState<readonly string[]>([]);
  const { trackMany, refused } = useTrackMany();
  const rows = creators.filter(
    ({ channel_id, is_tracked }) => !hidesTracked || !is_tracked || justTracked.includes(channel_id),
  );
  const untracked = rows.filter(({ is_tracked }) => !is_tracked);
  const onTracked = (...channelIds: string[]) => setJustTracked((ids) => [...ids, ...channelIds]);
  return {
    ...useSelection(untracked),
    rows,
    untracked,
    /** By channel, why it could not be tracked. */
    refused,
    /** Called when a row's creator is tracked or untracked. */
    onTracked,
    trackMany,
    /** Tracks creators; the ids of those that are tracked then. */
    track: async (chosen: readonly FoundCreator[]): Promise<string[]> => {
      const channel_ids = chosen.map(({ channel_id }) => channel_id);
      onTracked(...channel_ids);
      const answer = await trackMany.mutateAsync({ channel_ids }).catch(() => null);
      return answer?.results.flatMap((result) => result.creator?.channel_id ?? []) ?? [];
    },
  };
}
