"use client";

import { Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { formatCurl } from "@/app/curl";
import { formatQuantity } from "@/core/format";
import { LOGGED_METHODS, MAX_PATH_LENGTH } from "@/features/usage/request-log.rules";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { EmptyState, NoMatches } from "../../_ui/empty-state";
import { FilterSelect, SearchField, useSearchText } from "../../_ui/filters";
import { QueryState, SkeletonRows } from "../../_ui/query-state";
import { QuietButton } from "../../_ui/quiet-button";
import { DEFAULTS, formatStatus, toRequestFilter } from "./request-query";
import { RequestTable, type Site } from "./request-table";

const CLASS_CHOICES = [
  { value: "2xx", label: "2xx Success" },
  { value: "4xx", label: "4xx Refused" },
  { value: "5xx", label: "5xx Failed" },
];

/** The key's requests, newest first. The server filters and pages; the URL holds the state. */
export function RequestLog({ site }: { site: Site }) {
  const [state, change] = useUrlState(DEFAULTS);
  const filter = toRequestFilter(state);
  const { method, status } = filter;
  const log = trpc.requests.list.useQuery(filter, { placeholderData: keepPreviousData });
  const narrow = (by: Partial<typeof DEFAULTS>) => change({ ...by, before: "" });
  const searching = useSearchText("path", state.path, (text) =>
    change({ path: text.slice(0, MAX_PATH_LENGTH), before: "" }, "replace"),
  );
  const clear = () => {
    change(DEFAULTS);
    searching.setText("");
  };
  const exact = typeof status === "number" ? [{ value: String(status), label: formatStatus(status) }] : [];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <Group gap="xs" mb="md" role="search" aria-label="Requests">
        <FilterSelect
          label="Method"
          any="All methods"
          data={LOGGED_METHODS}
          value={method ?? ""}
          onChoose={(chosen) => narrow({ method: chosen })}
        />
        <FilterSelect
          label="Status"
          any="All statuses"
          data={[...CLASS_CHOICES, ...exact]}
          value={String(status ?? "")}
          onChoose={(chosen) => narrow({ status: chosen })}
        />
        <SearchField label="Path contains" search={searching} />
        <QuietButton
          ml="auto"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={log.isRefetching}
          onClick={() => void log.refetch()}
        >
          Refresh
        </QuietButton>
      </Group>
      <QueryState query={log} skeleton={<SkeletonRows count={10} height={44} mih={480} />}>
        {({ requests, next_before }) =>
          requests.length === 0 ? (
            <NoRequests isFiltered={isFiltered} clear={clear} appUrl={site.appUrl} />
          ) : (
            <>
              <RequestTable requests={requests} site={site} narrow={narrow} />
              <Group justify="space-between" mt="md">
                <Text size="sm" c="dimmed" role="status">
                  {formatQuantity(requests.length, "request")} on this page
                </Text>
                <Pages
                  isFirst={filter.before === undefined}
                  older={next_before}
                  onPage={(before) => change({ before })}
                />
              </Group>
            </>
          )
        }
      </QueryState>
    </>
  );
}

interface PagesProps {
  isFirst: boolean;
  /** The cursor of the next page; null on the last. */
  older: string | null;
  onPage: (before: string) => void;
}

/** Pages by cursor, so that new requests do not shift them. */
function Pages({ isFirst, older, onPage }: PagesProps) {
  if (isFirst && older === null) return null;
  return (
    <Group component="nav" aria-label="Pages" gap="xs">
      <QuietButton disabled={isFirst} onClick={() => onPage("")}>
        Newest
      </QuietButton>
      <QuietButton
        disabled={older === null}
        onClick={() => {
          onPage(older ?? "");
          scrollTo({ top: 0 });
        }}
      >
        Older
      </QuietButton>
    </Group>
  );
}

function NoRequests({ isFiltered, clear, appUrl }: { isFiltered: boolean; clear: () => void; appUrl: string }) {
  if (isFiltered) return <NoMatches title="No requests match" text="Try fewer filters." clear={clear} />;
  return (
    <EmptyState
      title="No requests yet"
      text="Your API requests appear here within a second, with their status, duration and request ID."
      command={formatCurl(`${appUrl}/api/usage`)}
    />
  );
}
