"use client";

import { Button, Group, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { formatCurl } from "@/app/curl";
import { formatQuantity } from "@/core/format";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { EmptyState, NoMatches } from "../../_ui/empty-state";
import { QueryState } from "../../_ui/query-state";
import { SkeletonRows } from "../../_ui/skeleton-rows";
import type { BodyForms } from "./curl";
import { Filters } from "./filters";
import { DEFAULTS, toRequestFilter } from "./request-query";
import { RequestTable } from "./request-table";

interface RequestLogProps {
  site: { appUrl: string; bodies: BodyForms };
}

/** The key's requests, newest first. The server filters and pages; the URL holds the state. */
export function RequestLog({ site }: RequestLogProps) {
  const [state, change] = useUrlState(DEFAULTS);
  const filter = toRequestFilter(state);
  const log = trpc.requests.list.useQuery(filter, { placeholderData: keepPreviousData });
  // Typing updates the URL after a short delay.
  const [typed, setTyped] = useState(state.path);
  useWindowEvent("popstate", () => setTyped(new URLSearchParams(location.search).get("path") ?? ""));
  const clear = () => {
    change(DEFAULTS);
    setTyped("");
  };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <Filters
        filter={filter}
        typed={typed}
        onType={setTyped}
        change={change}
        refresh={() => void log.refetch()}
        isRefreshing={log.isRefetching}
      />
      <QueryState query={log} skeleton={<SkeletonRows count={10} height={44} mih={480} />}>
        {({ requests, next }) =>
          requests.length === 0 ? (
            <NoRequests isFiltered={isFiltered} clear={clear} appUrl={site.appUrl} />
          ) : (
            <>
              <RequestTable requests={requests} site={site} narrow={(by) => change({ ...by, before: "" })} />
              <Group justify="space-between" mt="md">
                <Text size="sm" c="dimmed" role="status">
                  {formatQuantity(requests.length, "request")} on this page
                </Text>
                <Pages isFirst={filter.before === undefined} older={next} onPage={(before) => change({ before })} />
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
  /** Cursor of the next page; null on the last. */
  older: string | null;
  onPage: (before: string) => void;
}

/** Cursor pagination, so that new requests do not shift pages. */
function Pages({ isFirst, older, onPage }: PagesProps) {
  if (isFirst && older === null) return null;
  return (
    <Group component="nav" aria-label="Pages" gap="xs">
      <Button variant="default" size="xs" disabled={isFirst} onClick={() => onPage("")}>
        Newest
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={older === null}
        onClick={() => {
          onPage(older ?? "");
          scrollTo({ top: 0 });
        }}
      >
        Older
      </Button>
    </Group>
  );
}

interface NoRequestsProps {
  isFiltered: boolean;
  clear: () => void;
  appUrl: string;
}

function NoRequests({ isFiltered, clear, appUrl }: NoRequestsProps) {
  if (isFiltered) return <NoMatches order={2} title="No requests match" text="Try fewer filters." clear={clear} />;
  return (
    <EmptyState
      order={2}
      title="No requests yet"
      text="Your API requests appear here within a second, with their status, duration and request ID."
      command={formatCurl(`${appUrl}/api/usage`)}
    />
  );
}
