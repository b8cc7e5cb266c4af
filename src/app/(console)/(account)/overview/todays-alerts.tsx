"use client";

import { Anchor, Skeleton, Stack, Text } from "@mantine/core";
import Link from "next/link";
import type { Alert } from "@/features/alerts/schema";
import { formatCount } from "@/ui/format";
import { LATEST, SHOWN } from "../../_client/todays-alerts";
import { trpc } from "../../_client/trpc";
import { useTodaysAlerts } from "../../_client/use-todays-alerts";
import { SeverityBadge } from "../../_ui/badges";
import { Card } from "../../_ui/card";
import { QueryState } from "../../_ui/query-state";
import { Distance } from "../../_ui/times";

/** Alerts of the UTC day, newest first. */
export function TodaysAlerts() {
  const alerts = useTodaysAlerts();
  return (
    <Card
      title="Alerts today"
      aside={
        <Anchor component={Link} href="/alerts" size="sm">
          All alerts
        </Anchor>
      }
    >
      <QueryState query={alerts} skeleton={<Skeleton height={92} />}>
        {({ alerts: latest, pagination: { total } }) => (
          <Stack gap="sm">
            {total === 0 && <LatestAlert />}
            {latest.map((alert) => (
              <AlertLine key={alert.channel_id} {...alert} />
            ))}
            {total > SHOWN && (
              <Text c="dimmed" size="sm">
                and {formatCount(total - SHOWN)} more
              </Text>
            )}
          </Stack>
        )}
      </QueryState>
    </Card>
  );
}

/** The latest alert, on a day without alerts. */
function LatestAlert() {
  const { data } = trpc.alerts.list.useQuery(LATEST);
  if (!data) return <Skeleton height={72} />;
  const [latest] = data.alerts;
  if (!latest)
    return (
      <Text c="dimmed" size="sm">
        No alerts yet. You get one when a tracked creator grows more than 10% in a day.
      </Text>
    );
  return (
    <>
      <Text c="dimmed" size="sm">
        None today. Latest alert, <Distance at={latest.created_at} />:
      </Text>
      <AlertLine {...latest} />
    </>
  );
}

function AlertLine({ severity, message }: Alert) {
  return (
    <div>
      <SeverityBadge severity={severity} />
      <Text size="sm" mt={4}>
        {message}
      </Text>
    </div>
  );
}
