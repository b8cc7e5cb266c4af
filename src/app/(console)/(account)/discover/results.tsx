"use client";

import { Button, Group, SegmentedControl, Text, Title } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { formatCount, formatQuantity } from "@/core/format";
import type { ExplainedDiscovery, FoundCreator } from "@/features/discovery/schema";
import { RISING_PERCENTILE } from "@/features/growth/wording.rules";
import { EmptyState } from "../../_ui/empty-state";
import { Pager } from "../../_ui/pager";
import { SaveButton } from "../../_ui/save-button";
import { Distance } from "../../_ui/times";
import { Filters } from "./filters";
import { Notice } from "./notices";
import { ResultCards } from "./result-card";
import { ResultTable } from "./result-table";
import styles from "./results.module.css";
import { type Change, getSort, type Search } from "./search";
import { SelectionBar, TrackAll, TrackOutcome } from "./track-many";
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
  const [areFiltersOpen, { toggle }] = useDisclosure(false);
  const wanted = search.top ? creators.filter(isRisingForSize) : creators;
  const onCountry = (country: string) => change({ country, page: "1" });
  const actions = { ...useRows(wanted, search.untracked !== ""), onCountry };
  const { rows } = actions;
  return (
    <section aria-labelledby="found" aria-busy={isBusy} className={styles.results}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Heading answer={answer} shown={rows.length} search={search} />
        <Group gap="xs">
          <Button
            hiddenFrom="sm"
            size="xs"
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
            aria-expanded={areFiltersOpen}
            onClick={toggle}
          >
            Filter
          </Button>
          <TrackAll {...actions} />
          <SaveButton
            format="CSV"
            content="the shown creators"
            disabled={rows.length === 0}
            save={async () => (await import("./results-csv")).saveResults(getShownNiche(answer), rows)}
          />
          <SegmentedControl
            size="xs"
            visibleFrom="sm"
            aria-label="View"
            data={VIEWS}
            value={getView(search)}
            onChange={(view) => change({ view: view === "cards" ? view : "" })}
          />
        </Group>
      </Group>
      <Notice answer={answer} onSearch={onSearch} />
      <Filters
        search={search}
        change={change}
        isOpen={areFiltersOpen}
        countries={creators.flatMap(({ country }) => country ?? [])}
      />
      <TrackOutcome {...actions} />
      {rows.length === 0 ? (
        <EmptyState title="No creators match" text="Remove a filter, or go back to the first page." />
      ) : (
        <Rows search={search} change={change} actions={actions} />
      )}
      <SelectionBar {...actions} />
      <Group justify="space-between" align="start" mt="sm" gap="sm">
        <Text size="xs" c="dimmed" maw="44rem">
          Subscriber counts come from the platform. Growth, score and level are our own. Below each growth: the range
          that rounded counts allow; grey where it includes zero.
        </Text>
        <Pager {...pagination} onPage={(page) => change({ page: String(page) })} />
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
        {formatCounts(shown, answer.pagination.total, search)}
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

const VIEWS = [
  { value: "table", label: "Table" },
  { value: "cards", label: "Cards" },
];

function getView({ view }: Search) {
  return view === "cards" ? "cards" : "table";
}

function isRisingForSize({ percentile }: FoundCreator): boolean {
  return percentile !== null && percentile >= RISING_PERCENTILE;
}

function formatCounts(shown: number, total: number, { untracked, top }: Search): string {
  const all = formatQuantity(total, "creator");
  return (untracked || top) && shown < total ? `${formatCount(shown)} of ${all}.` : `${all}.`;
}

/** A table on wide screens unless cards are wanted; always cards on phones. */
function Rows({ search, change, actions }: Pick<ResultsProps, "search" | "change"> & { actions: RowActions }) {
  // Until the browser knows, both are there and a media query shows one.
  const isPhone = useMediaQuery("(max-width: 47.99em)");
  const isWide = useMediaQuery("(min-width: 48em)");
  const hasTable = getView(search) === "table";
  return (
    <>
      {hasTable && !isPhone && (
        <div className={styles.table}>
          <ResultTable sort={getSort(search)} onSort={(sort) => change({ sort, page: "1" })} actions={actions} />
        </div>
      )}
      {!(hasTable && isWide) && (
        <div className={hasTable ? styles.phone : undefined}>
          <ResultCards actions={actions} />
        </div>
      )}
    </>
  );
}
