"use client";

import { Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback, useWindowEvent } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { formatQuantity } from "@/core/format";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { getLevelWord } from "../../_ui/badges";
import { Pager } from "../../_ui/pager";
import { QueryState } from "../../_ui/query-state";
import { SaveButton } from "../../_ui/save-button";
import { SkeletonRows } from "../../_ui/skeleton-rows";
import { ListTabs } from "../_lists/list-tabs";
import { SavedViews } from "../_lists/saved-views";
import { useSelection } from "../_tracking/use-selection";
import { CreatorTable } from "./creator-table";
import { DEFAULTS, FOR_SIZE, parseState, toTrackedQuery } from "./tracked-query";

/** Loaded where it is shown. */
const NoCreators = dynamic(() => import("./no-creators").then(({ NoCreators }) => NoCreators));

/** Loaded with the first selected creator. */
const SelectionBar = dynamic(() => import("../_lists/selection-bar").then(({ SelectionBar }) => SelectionBar), {
  ssr: false,
});

const LEVEL_CHOICES = [
  { value: "", label: "All levels" },
  ...ALERT_LEVELS.map((level) => ({ value: level, label: getLevelWord(level) })),
  { value: FOR_SIZE, label: "Top for size" },
];

/** The key's tracked creators. The server sorts, filters and pages; the URL holds the state. */
export function TrackedCreators({ appUrl }: { appUrl: string }) {
  const [state, change] = useUrlState(DEFAULTS);
  const query = toTrackedQuery(state);
  const { sort, descending, level, search, list } = query;
  const tracked = trpc.creators.tracked.useQuery(query, { placeholderData: keepPreviousData });
  const selection = useSelection(tracked.data?.creators ?? []);
  // Typing updates the URL after a short delay.
  const [typed, setTyped] = useState(search);
  useWindowEvent("popstate", () => setTyped(new URLSearchParams(location.search).get("search") ?? ""));
  const clear = () => {
    change(DEFAULTS);
    setTyped("");
  };
  const applyView = (query: string) => {
    const next = parseState(query);
    change(next);
    setTyped(next.search);
  };
  const { client } = trpc.useUtils();
  const saveAll = async () => {
    const { saveFound } = await import("../_lists/overview-csv");
    await saveFound(query, (page) => client.creators.tracked.query(page));
  };
  const isFiltered = search !== "" || level !== null || query.rising_for_size;
  return (
    <section aria-label="Tracked creators">
      <ListTabs list={state.list} onList={(id) => change({ list: id, page: "1" })}>
        <Filters
          typed={typed}
          onType={setTyped}
          level={query.rising_for_size ? FOR_SIZE : (level ?? "")}
          change={change}
        />
        <SavedViews onApply={applyView} />
      </ListTabs>
      <QueryState query={tracked} skeleton={<SkeletonRows count={8} height={52} mih={480} />}>
        {({ creators, pagination }) =>
          pagination.total === 0 ? (
            <NoCreators isFiltered={isFiltered} isList={list !== null} clear={clear} appUrl={appUrl} />
          ) : (
            <>
              <CreatorTable
                creators={creators}
                selection={selection}
                first={pagination.offset + 1}
                sort={sort}
                descending={descending}
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
              {selection.selected.length > 0 && <SelectionBar selection={selection} list={list} />}
            </>
          )
        }
      </QueryState>
    </section>
  );
}

interface FiltersProps {
  typed: string;
  onType: (text: string) => void;
  level: string;
  change: (change: Partial<typeof DEFAULTS>, how?: "push" | "replace") => void;
}

function Filters({ typed, onType, level, change }: FiltersProps) {
  const apply = useDebouncedCallback((text: string) => change({ search: text, page: "1" }, "replace"), 200);
  return (
    <Group gap="xs" wrap="nowrap" flex={1}>
      <TextInput
        type="search"
        size="xs"
        flex="1 1 6rem"
        aria-label="Filter by name or handle"
        placeholder="Filter by name or handle"
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          onType(value);
          apply(value.trim().slice(0, 100));
        }}
      />
      <NativeSelect
        size="xs"
        w="7rem"
        aria-label="Level"
        data={LEVEL_CHOICES}
        value={level}
        onChange={({ currentTarget: { value } }) => change({ level: value, page: "1" })}
      />
    </Group>
  );
}
