"use client";

import { Skeleton } from "@mantine/core";
import { trpc } from "../../../_client/trpc";
import { QueryState } from "../../../_ui/query-state";
import { Sparkline } from "../../../_ui/sparkline";

/** The readings of a tracked creator since the key began tracking it. */
export function History({ channelId }: { channelId: string }) {
  const history = trpc.creators.history.useQuery({ channel_id: channelId });
  return (
    <QueryState query={history} skeleton={<Skeleton height={24} />}>
      {({ history: readings }) => <Sparkline counts={readings.map(({ subscribers }) => subscribers)} />}
    </QueryState>
  );
}
