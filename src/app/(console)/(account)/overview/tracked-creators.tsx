import { Group, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect } from "react";
import { formatQuantity } from "@/core/format";
import { systemClock, toUtcDay } from "@/core/time";
import type { TrackedQuery } from "@/features/creators/query.schema";
import { isWaiting } from "@/features/creators/rules";
import type { TrackedRow, TrackedTable } from "@/features/creators/table.service";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { Dropdown } from "../../_ui/dropdown";
import { useSearchText } from "../../_ui/filters";
import { Pager } from "../../_ui/pager";
import { QueryState, SkeletonRows } from "../../_ui/query-state";
import { SaveButton } from "../../_ui/save-button";
import { ListTabs } from "../_lists/list-tabs";
import listStyles from "../_lists/lists.module.css";
import { type Selection, useSelection } from "../_tracking/use-selection";
import { CreatorTable } from "./creator-table";
import { ActiveFilters, FilterTools } from "./filter-tools";
import styles from "./overview.module.css";
import {
  DEFAULTS,
  getChangedSince,
  NO_FILTERS,
  SHOW_ALERTS,
  type TableState,
  toTabsQuery,
  toTrackedQuery,
} from "./tracked-query";
import { saveVisits } from "./visits";

/** Loaded where it is shown. */
const NoCreators = dynamic(() => import("./no-creators").then(({ NoCreators }) => NoCreators));
const Waiting = dynamic(() => import("./waiting").then(({ Waiting }) => Waiting));

/** Loaded when first opened. */
const Views = dynamic(() => import("../_lists/views").then(({ Views }) => Views), { ssr: false });

/** Loaded with the first selected creator. */
const SelectionBar = dynamic(() => import("../_lists/selection-bar").then(({ SelectionBar }) => SelectionBar), {
  ssr: false,
});

/** The key's creators. The server sorts, filters and pages; the URL holds the state. @param children beside the table */
export function TrackedCreators({ lastVisit, children }: { lastVisit: string | null; children: ReactNode }) {
  const [state, change] = useUrlState(DEFAULTS);
  useVisits(state.list, lastVisit);
  const query = toTrackedQuery(state);
  const tracked = trpc.creators.tracked.useQuery(query, { placeholderData: keepPreviousData });
  const rows = tracked.data?.creators ?? [];
  const selection = useSelection(rows);
  const searching = useSearchText("search", state.search, (text) =>
    change({ search: text.slice(0, 100), page: "1" }, "replace"),
  );
  const showAll = (but: Partial<TableState>) => {
    change({ ...DEFAULTS, ...but });
    searching.setText("");
  };
  const clear = () => showAll({ ...state, ...NO_FILTERS });
  const applyView = (view: string) => {
    history.pushState(null, "", view ? `?${view}` : location.pathname);
    searching.showUrl();
  };
  const isFiltered = Object.keys(NO_FILTERS).some((name) => name !== "page" && state[name as keyof TableState] !== "");
  return (
    <section aria-label="Tracked creators">
      <ListTabs
        list={state.list}
        onList={(list) => change({ list, show: "", page: "1" })}
        views={useViewTabs(lastVisit, state)}
        view={state.show}
        onView={(show) => change({ list: "", show, page: "1" })}
      >
        <FilterTools
          state={state}
          change={change}
          searching={searching}
          hasLegend={tracked.data !== undefined && splitRows(tracked.data).measured.length > 0}
        />
        <Dropdown text="Saved views" hasArrow title="Saved views" className={listStyles.tool}>
          <Views onApply={applyView} />
        </Dropdown>
      </ListTabs>
      <ActiveFilters state={state} change={change} clear={clear} />
      <div className={styles.columns}>
        <div className={styles.work}>
          <QueryState query={tracked} skeleton={<SkeletonRows count={8} height={60} mih={480} />}>
            {(found) =>
              found.pagination.total === 0 ? (
                <NoCreators state={state} isFiltered={isFiltered} clear={clear} showAll={() => showAll({})} />
              ) : (
                <Found {...found} query={query} change={change} selection={selection} />
              )
            }
          </QueryState>
        </div>
        {children}
      </div>
    </section>
  );
}

/** Rows with growth, and those that wait for it. While the first page has no growth, its hidden counts come after them. */
function splitRows({ creators, pagination }: Pick<TrackedTable, "creators" | "pagination">) {
  const [waiting, others] = [creators.filter(isWaiting), creators.filter((row) => !isWaiting(row))];
  const isFirst = pagination.offset === 0 && waiting.length > 0;
  const isNoneMeasured = isFirst && others.every(({ counts }) => counts === "hidden");
  return isNoneMeasured
    ? { measured: [], unmeasured: [...waiting, ...others] }
    : { measured: others, unmeasured: waiting };
}

/** Remembers the list and the time, for the next visit. */
function useVisits(list: string, lastVisit: string | null) {
  useEffect(() => {
    const write = () => {
      if (document.visibilityState === "visible") saveVisits({ list, lastVisit }, systemClock.now());
    };
    write();
    document.addEventListener("visibilitychange", write);
    return () => document.removeEventListener("visibilitychange", write);
  }, [list, lastVisit]);
}

/** The tabs before the lists. One without creators is left out unless it is shown; so is the last visit on the first. */
function useViewTabs(lastVisit: string | null, state: TableState) {
  const since = getChangedSince(state) ?? lastVisit;
  const { data } = trpc.creators.tabs.useQuery(toTabsQuery(since));
  return [
    { id: SHOW_ALERTS, name: "Alerts today", creators: data?.alerts ?? 0 },
    { id: since ?? "", name: "Since your last visit", creators: since === null ? 0 : (data?.changed ?? 0) },
  ].filter(({ id, creators }) => id !== "" && (creators > 0 || id === state.show));
}

interface FoundProps extends TrackedTable {
  query: TrackedQuery;
  change: (change: Partial<TableState>) => void;
  selection: Selection<TrackedRow>;
}

/** A page of the table: measured creators, then those that wait for their first growth. */
function Found({ creators, pagination, waiting, query, change, selection }: FoundProps) {
  const { client } = trpc.useUtils();
  const saveAll = async () => {
    const { saveFound } = await import("../../_ui/csv");
    await saveFound(query, (page) => client.creators.tracked.query(page));
  };
  const { measured, unmeasured } = splitRows({ creators, pagination });
  const order = {
    sort: query.sort,
    descending: query.descending,
    onSort: (by: TrackedQuery["sort"], down: boolean) => change({ sort: by, order: down ? "desc" : "asc", page: "1" }),
  };
  const today = toUtcDay(systemClock.now());
  return (
    <>
      {measured.length > 0 && (
        <>
          <CreatorTable
            creators={measured}
            selection={selection}
            first={pagination.offset + 1}
            order={order}
            alertsSince={query.changed_since?.slice(0, 10) ?? today}
          />
          <p className={styles.note}>
            YouTube rounds counts down to three digits. The small line is the true range; grey where it includes zero.
            Growth, expected range, score and level are calculated by us.
          </p>
        </>
      )}
      {unmeasured.length > 0 && (
        <Waiting
          creators={unmeasured}
          total={waiting}
          isAll={measured.length === 0 && pagination.offset === 0}
          selection={selection}
          order={order}
        />
      )}
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed" role="status">
          {formatQuantity(pagination.total, "creator")}
        </Text>
        <Pager {...pagination} onPage={(next) => change({ page: String(next) })} />
        <SaveButton content="all these" save={saveAll} />
      </Group>
      {selection.selected.length > 0 && <SelectionBar selection={selection} list={query.list} />}
    </>
  );
}
