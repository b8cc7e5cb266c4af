"use client";

import { Skeleton, Text } from "@mantine/core";
import { formatCount, formatQuantity, formatShare } from "@/ui/format";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { QueryState } from "../../_ui/query-state";
import { Distance, Instant } from "../../_ui/times";

/** The last daily run, its coverage, and the next run. */
export function CollectionCard() {
  const status = trpc.snapshots.status.useQuery();
  return (
    <Card title="Daily snapshot">
      <QueryState query={status} skeleton={<Skeleton height={92} />}>
        {({ last_run: run, coverage, next_run_at }) => (
          <>
            <Text fz="1.75rem" fw={650} lh={1.2}>
              {run === null && "None yet"}
              {run?.finished_at === null && "Under way"}
              {run?.finished_at && <Distance at={run.finished_at} />}
            </Text>
            {run && (
              <Text size="sm" mt="xs">
                {formatCount(run.read + run.unavailable)} of {formatQuantity(run.planned, "channel")} covered
                {coverage !== null && ` (${formatShare(coverage)})`}
                {run.failed > 0 && `, ${formatCount(run.failed)} failed`}
              </Text>
            )}
            <Text size="sm" c="dimmed" mt={run ? 4 : "xs"}>
              Next <Distance at={next_run_at} />: <Instant at={next_run_at} />
            </Text>
          </>
        )}
      </QueryState>
    </Card>
  );
}
