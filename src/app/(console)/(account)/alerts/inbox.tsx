"use client";

import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { SEVERITY_SCALE, type Severity } from "@/features/alerts/rules";
import { isChannelId } from "@/features/creators/rules";
import { formatQuantity } from "@/ui/format";
import { trpc } from "../../_client/trpc";
import { useUrlState } from "../../_client/use-url-state";
import { EmptyState } from "../../_ui/empty-state";
import { Pager } from "../../_ui/pager";
import { QueryState } from "../../_ui/query-state";
import { AlertEntry } from "./alert-entry";
import styles from "./alerts.module.css";
import { Filters } from "./filters";

const PAGE_SIZE = 20;
const DEFAULTS = { severity: "", creator: "", page: "1" };

/** The key's alerts, newest first. The server filters and pages; the URL holds the state. */
export function Inbox({ appUrl }: { appUrl: string }) {
  const [state, change] = useUrlState(DEFAULTS);
  const severity = severityNamed(state.severity);
  const channel_id = isChannelId(state.creator) ? state.creator : null;
  const page = Math.max(1, Number.parseInt(state.page, 10) || 1);
  const inbox = trpc.alerts.inbox.useQuery(
    { severity, channel_id, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <Filters
        severity={severity}
        creator={channel_id}
        onSeverity={(chosen) => change({ severity: chosen ?? "", page: "1" })}
        onCreator={(chosen) => change({ creator: chosen ?? "", page: "1" })}
      />
      <QueryState query={inbox} skeleton={<InboxSkeleton />}>
        {({ alerts, pagination }) =>
          alerts.length === 0 ? (
            <NoAlerts
              isFiltered={severity !== null || channel_id !== null || page > 1}
              clear={() => change(DEFAULTS)}
              appUrl={appUrl}
            />
          ) : (
            <>
              <ol className={styles.list}>
                {alerts.map((alert) => (
                  <AlertEntry
                    key={alert.id}
                    alert={alert}
                    onSeverity={() => change({ severity: alert.severity, page: "1" })}
                  />
                ))}
              </ol>
              <Group justify="space-between" mt="md">
                <Text size="sm" c="dimmed" role="status">
                  {formatQuantity(pagination.total, "alert")}
                </Text>
                <Pager {...pagination} onPage={(next) => change({ page: String(next) })} />
              </Group>
            </>
          )
        }
      </QueryState>
    </>
  );
}

function severityNamed(name: string): Severity | null {
  return SEVERITY_SCALE.find(({ severity }) => severity === name)?.severity ?? null;
}

interface NoAlertsProps {
  isFiltered: boolean;
  clear: () => void;
  appUrl: string;
}

function NoAlerts({ isFiltered, clear, appUrl }: NoAlertsProps) {
  if (isFiltered)
    return (
      <EmptyState order={2} title="No alerts match" text="Try fewer filters.">
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState
      order={2}
      title="No alerts yet"
      text="You get an alert when a tracked creator grows more than 10% in a day. We read counts daily at 06:00 UTC."
      command={[`curl "${appUrl}/api/alerts"`, `-H "X-API-Key: <API_KEY>"`].join(" \\\n  ")}
    >
      <Button component={Link} href="/discover">
        Find creators to track
      </Button>
    </EmptyState>
  );
}

function InboxSkeleton() {
  return (
    <Stack gap="md">
      {["first", "second", "third", "fourth"].map((place) => (
        <Skeleton key={place} height={220} radius="md" />
      ))}
    </Stack>
  );
}
