"use client";

import { Group, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { formatQuantity } from "@/core/format";
import type { TrackedQuery, TrackedRow, TrackedTable } from "@/features/creators/table.schema";
import { ALERT_LEVELS, LEVEL_WORDS } from "@/features/growth/score.rules";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { Dropdown } from "../../_ui/dropdown";
import { FilterSelect, SearchField, useSearchText } from "../../_ui/filters";
import { Pager } from "../../_ui/pager";
import { QueryState, SkeletonRows } from "../../_ui/query-state";
import { SaveButton } from "../../_ui/save-button";
import { ListTabs } from "../_lists/list-tabs";
import listStyles from "../_lists/lists.module.css";
import { type Selection, useSelection } from "../_tracking/use-selection";
import { CreatorTable } from "./creator-table";
import { DEFAULTS, FOR_SIZE, toTrackedQuery } from "./tracked-query";

/** Loaded where it is shown. */
const NoCreators = dynamic(() => import("./no-creators").then(({ NoCreators }) => NoCreators));

/** Loaded when first opened. */
const Views = dynamic(() => import("../_lists/views").then(({ Views }) => Views), { ssr: false });

/** Loaded with the first selected creator. */
const SelectionBar = dynamic(() => import("../_lists/selection-bar").then(({ SelectionBar }) => SelectionBar), {
  ssr: false,
});

const MAX_SEARCH_LENGTH = 100;
const LEVEL_CHOICES = [
  { value: "", label: "All levels" },
  ...ALERT_LEVELS.map((level) => ({ value: level, label: LEVEL_WORDS[level] })),
  { value: FOR_SIZE, label: "Top for size" },
];

/** The key's tracked creators. The server sorts, filters and pages; the URL holds the state. */
export function TrackedCreators({ appUrl }: { appUrl: string }) {
  const [state, change] = useUrlState(DEFAULTS);
  const query = toTrackedQuery(state);
  const { level, search, list } = query;
  const tracked = trpc.creators.tracked.useQuery(query, { placeholderData: keepPreviousData });
  const selection = useSelection(tracked.data?.creators ?? []);
  const searching = useSearchText("search", search, (text) =>
    change({ search: text.slice(0, MAX_SEARCH_LENGTH), page: "1" }, "replace"),
  );
  const clear = () => {
    change(DEFAULTS);
    searching.setText("");
  };
  const applyView = (view: string) => {
    history.pushState(null, "", view ? `?${view}` : location.pathname);
    searching.showUrl();
  };
  const isFiltered = search !== "" || level !== null || query.rising_for_size;
  return (
    <section aria-label="Tracked creators">
      <ListTabs list={state.list} onList={(id) => change({ list: id, page: "1" })}>
        <Group gap="xs" wrap="nowrap" flex={1}>
          <SearchField label="Filter by name or handle" flex="1 1 6rem" search={searching} />
          <FilterSelect
            label="Level"
            w="7rem"
            data={LEVEL_CHOICES}
            value={query.rising_for_size ? FOR_SIZE : (level ?? "")}
            onChoose={(chosen) => change({ level: chosen, page: "1" })}
          />
        </Group>
        <Dropdown text="Saved views ▾" title="Saved views" className={listStyles.tool}>
          <Views onApply={applyView} />
        </Dropdown>
      </ListTabs>
      <QueryState query={tracked} skeleton={<SkeletonRows count={8} height={52} mih={480} />}>
        {(found) =>
          found.pagination.total === 0 ? (
            <NoCreators isFiltered={isFiltered} isList={list !== null} clear={clear} appUrl={appUrl} />
          ) : (
            <>
              <Found {...found} query={query} change={change} selection={selection} />
              {selection.selected.length > 0 && <SelectionBar selection={selection} list={list} />}
            </>
          )
        }
      </QueryState>
    </section>
  );
}

interface FoundProps extends TrackedTable {
  query: TrackedQuery;
  change: (change: Partial<typeof DEFAULTS>) => void;
  selection: Selection<TrackedRow>;
}

/** A page of the table. */
function Found({ creators, pagination, query, change, selection }: FoundProps) {
  const { client } = trpc.useUtils();
  const saveAll = async () => {
    const { saveFound } = await import("../_lists/overview-csv");
    await saveFound(query, (page) => client.creators.tracked.query(page));
  };
  return (
    <>
      <CreatorTable
        creators={creators}
        selection={selection}
        first={pagination.offset + 1}
        sort={query.sort}
        descending={query.descending}
        onSort={(by, down) => change({ sort: by, order: down ? "desc" : "asc", page: "1" })}
      />
      <Text size="xs" c="dimmed" mt="sm">
        Subscriber counts come from the platform, which cuts them to three figures. Growth, score and level are
        calculated by us; the small line is the range the true growth lies in.
      </Text>
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed" role="status">
          {formatQuantity(pagination.total, "creator")}
        </Text>
        <Pager {...pagination} onPage={(next) => change({ page: String(next) })} />
        <SaveButton format="CSV" content="all these" save={saveAll} />
      </Group>
    </>
  );
}
