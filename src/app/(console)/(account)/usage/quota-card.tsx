"use client";

import { Progress, Skeleton, Text } from "@mantine/core";
import { formatCount } from "@/core/format";
import type { UsageToday } from "@/features/usage/service";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { QueryState } from "../../_ui/query-state";
import { Distance, Instant } from "../../_ui/times";

/** Requests left today, when they reset, and whether they last. */
export function QuotaCard() {
  const usage = trpc.usage.today.useQuery();
  return (
    <Card title="Requests today">
      <QueryState query={usage} skeleton={<Skeleton height={92} />}>
        {(today) => <Quota {...today} />}
      </QueryState>
    </Card>
  );
}

function Quota({ requests_today: used, requests_limit: limit, resets_at, runs_out_at }: UsageToday) {
  const left = Math.max(0, limit - used);
  return (
    <>
      <Text fz="1.75rem" fw={650} lh={1.2}>
        {formatCount(left)}{" "}
        <Text span c="dimmed" fz="md" fw={400}>
          of {formatCount(limit)} left
        </Text>
      </Text>
      <Progress value={(left / limit) * 100} my="xs" aria-label={`${left} of ${limit} requests left today`} />
      <Text size="sm" c="dimmed">
        Resets <Distance at={resets_at} />, at midnight UTC.{" "}
        {runs_out_at && (
          <>
            At today’s rate they run out at <Instant at={runs_out_at} />.
          </>
        )}
        {left === 0 && "Requests are refused until then."}
      </Text>
    </>
  );
}
