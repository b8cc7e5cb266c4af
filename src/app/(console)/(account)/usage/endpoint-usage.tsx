"use client";

import { Skeleton } from "@mantine/core";
import { formatCount } from "@/core/format";
import { DataTable } from "@/ui/data-table";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { EmptyState } from "../../_ui/empty-state";
import { QueryState } from "../../_ui/query-state";

/** Requests of the last 7 days by endpoint and status. */
export function EndpointUsage() {
  const usage = trpc.usage.byEndpoint.useQuery();
  return (
    <Card title="Last 7 days by endpoint">
      <QueryState query={usage} skeleton={<Skeleton height={200} />}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <EmptyState title="No requests in the last 7 days" text="Requests to the API are counted here." />
          ) : (
            <DataTable
              caption="Requests of the last 7 days by endpoint and status, most frequent first"
              columns={["Endpoint", "Status", "Requests"]}
              rows={endpoints.map((row) => [`${row.method} ${row.endpoint}`, row.status, formatCount(row.requests)])}
            />
          )
        }
      </QueryState>
    </Card>
  );
}
